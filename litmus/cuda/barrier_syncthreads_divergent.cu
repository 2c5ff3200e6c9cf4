// __syncthreads() in a branch that half of the block does not take.
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

// ambit: expect ptx          : divergence because "threads 2 and 3 never reach the barrier that threads 0 and 1 wait at"
// ambit: expect cuda-cpp     : divergence because "a barrier in conditional code must be reached by all threads of the block"
// ambit: expect hrf-indirect : divergence because "threads 2 and 3 never reach the barrier"
// ambit: expect hrf-relaxed  : divergence because "threads 2 and 3 never reach the barrier"
