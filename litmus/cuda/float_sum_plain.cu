// Every thread adds its term to one sum of type float, with a plain load and a plain store.
#include <cuda_runtime.h>

__global__ void sum(const double *x, float *total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  *total += (float)(x[i] * x[i]);
}

int main() {
  double *x;
  float *total;
  cudaMalloc(&x, 4 * sizeof(double));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(total, 0, sizeof(float));
  sum<<<2, 2>>>(x, total);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on total[0] because "nothing orders the threads' stores to the same word"
// ambit: expect cuda-cpp : race on total[0] because "nothing orders the threads' stores to the same word"
