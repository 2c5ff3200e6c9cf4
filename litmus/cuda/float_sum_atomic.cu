// Every thread adds its term to one sum of type float, atomically.
#include <cuda_runtime.h>

__global__ void sum(const double *x, float *total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(total, (float)(x[i] * x[i]));
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

// ambit: expect ptx      : norace because "atomics of device scope on one word do not race"
// ambit: expect cuda-cpp : norace because "atomics of device scope on one word do not race"
