// One block sends a message to another block, with a relaxed atomic flag.
#include <cstdio>
#include <cuda/atomic>

__device__ int payload;
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;

__global__ void message(int *result) {
  if (blockIdx.x == 0) {
    payload = 42;
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
    result[0] = payload;
  }
}

int main() {
  int *result, seen = 0;
  cudaMallocManaged(&result, sizeof(int));
  message<<<2, 1>>>(result);
  cudaDeviceSynchronize();
  cudaMemcpy(&seen, result, sizeof(int), cudaMemcpyDefault);
  printf("%d\n", seen);
}

// ambit: exists (result[0] != 42)

// ambit: expect ptx          : Sometimes, race on payload because "relaxed accesses order nothing"
// ambit: expect cuda-cpp     : Sometimes, race on payload because "relaxed operations do not synchronise"
// ambit: expect hrf-indirect : Never, norace because "HRF-indirect has no relaxed atomics"
// ambit: expect hrf-relaxed  : Sometimes, race on payload because "relaxed atomics never synchronise"
