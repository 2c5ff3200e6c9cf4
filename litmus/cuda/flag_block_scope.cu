// One block sends a message to another block, but the flag has block scope.
#include <cstdio>
#include <cuda/atomic>

__device__ int payload;
__device__ cuda::atomic<int, cuda::thread_scope_block> ready;

__global__ void message(int *result) {
  if (blockIdx.x == 0) {
    payload = 42;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
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

// ambit: expect ptx          : Sometimes, race because "the accesses to the flag are not morally strong"
// ambit: expect cuda-cpp     : Sometimes, race because "the scope of each operation does not include the other thread"
// ambit: expect hrf-indirect : Never, race because "synchronising operations with the scopes of different blocks conflict; HRF-indirect lists only SC executions"
// ambit: expect hrf-relaxed  : Sometimes, race because "the block scopes of two blocks are not inclusive"
