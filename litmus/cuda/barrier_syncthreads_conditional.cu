// __syncthreads() is in a branch that half of the block does not take; code for the whole block follows the branch.
#include <cuda_runtime.h>

__device__ int x;
__device__ int y[4];

__global__ void kmain() {
  if (threadIdx.x < 2) {
    if (threadIdx.x == 0) x = 1;
    __syncthreads();
  }
  y[threadIdx.x] = 1;
}

int main() {
  kmain<<<1, 4>>>();
  return cudaDeviceSynchronize();
}

// ambit: expect ptx          : norace, divergence because "bar.sync is aligned: in conditional code all threads must evaluate the condition identically, otherwise behavior is undefined"
// ambit: expect cuda-cpp     : norace, divergence because "a barrier in conditional code must be reached by all threads of the block"
// ambit: expect hrf-indirect : norace, divergence because "threads 2 and 3 skip the barrier"
// ambit: expect hrf-relaxed  : norace, divergence because "threads 2 and 3 skip the barrier"
