// Like histogram.cu, but with plain additions: two threads of a block add to one bin.
#include <cuda_runtime.h>

#define BINS 2
#define BIN(v) (((v) - 'a') % BINS)

__global__ void histogram(const unsigned char *values, int *bins) {
  __shared__ int local[BINS];
  if (threadIdx.x < BINS) local[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  local[BIN(values[i])]++;
  __syncthreads();
  if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  unsigned char h_values[2] = {'a', 'a'};
  unsigned char *values;
  int *bins;
  cudaMalloc(&values, sizeof(h_values));
  cudaMalloc(&bins, BINS * sizeof(int));
  cudaMemset(bins, 0, BINS * sizeof(int));
  cudaMemcpy(values, h_values, 2, cudaMemcpyHostToDevice);
  histogram<<<1, 2>>>(values, bins);
  return cudaDeviceSynchronize();
}

// ambit: forall (bins[0] == 2)
// ambit: expect ptx          : Sometimes, race on b0:local[0] because "each addition is a read and a write, not an atomic: one addition may be lost"
// ambit: expect cuda-cpp     : Sometimes, race on b0:local[0] because "the accesses of the two threads are plain and unordered"
// ambit: expect hrf-indirect : Sometimes, race on b0:local[0] because "both threads may read before one of them writes"
// ambit: expect hrf-relaxed  : Sometimes, race on b0:local[0] because "the accesses of the two threads are plain and unordered"
