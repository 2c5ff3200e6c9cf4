// __syncthreads() is in a branch that half of the block does not take; no code follows the branch.
#include <cuda_runtime.h>

__device__ int x;

__global__ void kmain() {
  if (threadIdx.x < 2) {
    if (threadIdx.x == 0) x = 1;
    __syncthreads();
  }
}

int main() {
  kmain<<<1, 4>>>();
  return cudaDeviceSynchronize();
}

// ambit: expect ptx          : nodivergence because "threads 2 and 3 exit without the barrier, and the barrier waits only for threads that have not exited"
// ambit: expect cuda-cpp     : nodivergence because "threads 2 and 3 reach the end of the kernel, which has the effect of an early return"
// ambit: expect hrf-indirect : nodivergence because "threads 2 and 3 exit"
// ambit: expect hrf-relaxed  : nodivergence because "threads 2 and 3 exit"
