__global__ void histogram(const int *values, int *bins) {
  atomicAdd(&bins[values[blockIdx.x * 64 + threadIdx.x]], 1);
}
