// Each block counts in its own bins first.
__global__ void histogram(const int *values, int *bins) {
  __shared__ int own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[values[blockIdx.x * 64 + threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
