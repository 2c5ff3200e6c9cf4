// Each block counts a histogram in shared memory. Device-scope atomics add the counts to global memory.
#include <cuda_runtime.h>

#ifndef BINS  // -D BINS=2 checks two bins, in one or two seconds
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

// ambit: expect ptx          : Always, norace because "block-scope atomics count within a block, barriers surround them, and device-scope atomics add across blocks"
// ambit: expect cuda-cpp     : Always, norace because "block scope includes all threads that add to the block's bins"
// ambit: expect hrf-indirect : Always, norace because "the atomics on each bin have the same scope, and barriers order the other accesses"
// ambit: expect hrf-relaxed  : Always, norace because "the scopes are inclusive, and barriers order the other accesses"
