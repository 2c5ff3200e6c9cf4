// Two blocks add to one word by block-scope atomics, which do not order the blocks.
#include <cuda_runtime.h>

__global__ void sum(const float *x, float *total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_block(total, x[i]);
}

int main() {
  float *x;
  float *total;
  cudaMalloc(&x, 4 * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  sum<<<2, 2>>>(x, total);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on total[0] because "the scopes of the two blocks' atomics do not include each other"
// ambit: expect cuda-cpp : race on total[0] because "the scopes of the two blocks' atomics do not include each other"
