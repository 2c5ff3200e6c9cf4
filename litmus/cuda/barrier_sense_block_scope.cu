// Two blocks use a sense-reversing barrier at block scope.
#include <cuda/atomic>

namespace sync {
using counter_t = cuda::atomic<int, cuda::thread_scope_block>;
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

// ambit: expect ptx          : Sometimes, race because "atomics of different blocks with block scope are not morally strong"
// ambit: expect cuda-cpp     : Sometimes, race because "the scope of each operation does not include the other thread"
// ambit: expect hrf-indirect : Always, race because "synchronising operations with the scopes of different blocks conflict; HRF-indirect lists only SC executions"
// ambit: expect hrf-relaxed  : Sometimes, race because "atomics conflict if their scopes are not inclusive"
