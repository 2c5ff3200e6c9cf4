// Each thread writes the mean of neighbours back in place, so thread i reads the element that thread i + 1 writes.
#include <cuda_runtime.h>
#include <math.h>

__global__ void smooth(int n, float *x) {
  const int i = threadIdx.x;
  if (i + 1 < n) x[i] = sqrtf(0.5f * (x[i] * x[i] + x[i + 1] * x[i + 1]));
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

// ambit: expect ptx      : race on x[1] because "nothing orders thread 0's read of x[1] and thread 1's write"
// ambit: expect cuda-cpp : race on x[1] because "nothing orders thread 0's read of x[1] and thread 1's write"
