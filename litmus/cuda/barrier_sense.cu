// Two blocks execute one round of a sense-reversing barrier.
#include <cuda/atomic>

namespace sync {
using counter_t = cuda::atomic<int, cuda::thread_scope_device>;
enum class Sense { Out, In };
struct Barrier {
  counter_t waiting;
  counter_t sense;
  __device__ void wait(int count, int mine) {
    if (waiting.fetch_add(1, cuda::memory_order_acq_rel) == count - 1) {
      waiting.store(0, cuda::memory_order_relaxed);
      sense.store(mine, cuda::memory_order_release);
    } else {
      while (sense.load(cuda::memory_order_acquire) != mine) {
      }
    }
  }
};
}  // namespace sync

__device__ sync::Barrier everyone;
__device__ int posted[2];

__global__ void exchange(int *result) {
  posted[blockIdx.x] = 1;
  everyone.wait(gridDim.x, static_cast<int>(sync::Sense::In));
  result[blockIdx.x] = posted[1 - blockIdx.x];
}

int main() {
  int *result;
  cudaMalloc(&result, 2 * sizeof(int));
  exchange<<<2, 1>>>(result);
  return cudaDeviceSynchronize();
}

// ambit: forall (result[0] == 1 && result[1] == 1)

// ambit: expect ptx          : Always, norace because "the last block acquires from the first block and then releases it by the store to the sense"
// ambit: expect cuda-cpp     : Always, norace because "the counter is updated with acq_rel, and the sense is stored with release and loaded with acquire"
// ambit: expect hrf-indirect : Always, norace because "all synchronising operations have the same scope"
// ambit: expect hrf-relaxed  : Always, norace because "the release and the acquire have inclusive scopes"
