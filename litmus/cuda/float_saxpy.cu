// Each thread computes one element of y = a x + y in floating point.
#include <cuda_runtime.h>
#include <vector>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv) {
  const int n = 6;
  const float a = argc > 1 ? 0.5f : 2.0f;
  std::vector<float> h(n, 1.0f);
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<2, 4>>>(n, a, x, y);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : norace because "each thread reads and writes its own element of y"
// ambit: expect cuda-cpp : norace because "each thread reads and writes its own element of y"
