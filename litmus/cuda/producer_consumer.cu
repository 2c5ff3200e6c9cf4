// One block fills two slots, and another block reads them.
#include <cuda/atomic>

typedef cuda::atomic<unsigned, cuda::thread_scope_device> sequence_t;

struct Slot {
  sequence_t full;
  int value;
};
__device__ Slot ring[2];

__global__ void pipe(int *out) {
  for (int i = 0; i < 2; ++i) {
    Slot &slot = ring[i];
    if (blockIdx.x == 0) {
      slot.value = i + 1;
      slot.full.store(1, cuda::memory_order_release);
    } else {
      while (slot.full.load(cuda::memory_order_acquire) == 0) {
      }
      out[i] = slot.value;
    }
  }
}

int main() {
  int *out;
  cudaMalloc(&out, 2 * sizeof(int));
  pipe<<<dim3(2, 1, 1), dim3(1)>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 1 && out[1] == 2)

// ambit: expect ptx          : Always, norace because "a release publishes each slot, and an acquire takes it"
// ambit: expect cuda-cpp     : Always, norace because "a release publishes each slot, and an acquire takes it"
// ambit: expect hrf-indirect : Always, norace because "the release and the acquire have the same scope"
// ambit: expect hrf-relaxed  : Always, norace because "the release and the acquire have inclusive scopes"
