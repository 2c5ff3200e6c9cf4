// A histogram of each block in shared memory, added up with device atomics.
#include <cuda_runtime.h>

#ifndef BINS  // -D BINS=2 checks two, in a second or two
#define BINS 1
#endif

__global__ void histogram(const unsigned char *values, int *bins) {
  __shared__ int local[BINS];
  if (threadIdx.x < BINS) local[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_block(&local[(values[i] - 'a') % BINS], 1);
  __syncthreads();
  if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  unsigned char h_values[4] = {'a', 'a', 'a', 'a'};
  unsigned char *values;
  int *bins;
  cudaMalloc(&values, sizeof(h_values));
  cudaMalloc(&bins, BINS * sizeof(int));
  cudaMemset(bins, 0, BINS * sizeof(int));
  cudaMemcpy(values, h_values, 4, cudaMemcpyHostToDevice);
  histogram<<<2, 2>>>(values, bins);
  return cudaDeviceSynchronize();
}

// ambit: forall (bins[0] == 4)

// ambit: expect ptx          : Always, norace because "block atomics within the block, barriers around them, device atomics between blocks"
// ambit: expect cuda-cpp     : Always, norace because "block scope includes all threads that add to the block's bins"
// ambit: expect hrf-indirect : Always, norace because "each bin has one scope, and barriers order the rest"
// ambit: expect hrf-relaxed  : Always, norace because "the scopes are inclusive, and barriers order the rest"
