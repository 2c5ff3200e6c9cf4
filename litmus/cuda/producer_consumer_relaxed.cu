// Relaxed operations publish and take the slots.
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
      slot.full.store(1, cuda::memory_order_relaxed);
    } else {
      while (slot.full.load(cuda::memory_order_relaxed) == 0) {
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

// ambit: expect ptx          : Sometimes, race because "relaxed operations order nothing"
// ambit: expect cuda-cpp     : Sometimes, race because "relaxed operations do not synchronise"
// ambit: expect hrf-indirect : Always, norace because "HRF-indirect has no relaxed atomics"
// ambit: expect hrf-relaxed  : Sometimes, race because "relaxed atomics never synchronise"
