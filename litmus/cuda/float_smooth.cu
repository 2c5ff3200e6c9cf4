// Each thread computes the mean of neighbours; all threads read before any thread writes.
#include <cuda_runtime.h>
#include <math.h>

__global__ void smooth(int n, float *x) {
  const int i = threadIdx.x;
  float mean = 0.0f;
  if (i + 1 < n) mean = sqrtf(0.5f * (x[i] * x[i] + x[i + 1] * x[i + 1]));
  __syncthreads();
  if (i + 1 < n) x[i] = mean;
}

int main() {
  const int n = 4;
  float h[n];
  for (int i = 0; i < n; ++i) h[i] = 0.25f * i;
  float *x;
  cudaMalloc(&x, sizeof(h));
  cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
  smooth<<<1, n>>>(n, x);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : norace because "the barrier separates all reads from all writes"
// ambit: expect cuda-cpp : norace because "the barrier separates all reads from all writes"
