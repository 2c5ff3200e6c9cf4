// A branch tests a floating-point number, so the thread that writes depends on values that Ambit does not track.
#include <cuda_runtime.h>

__global__ void largest(const float *x, int *found) {
  const int i = threadIdx.x;
  if (x[i] > 0.5f) found[0] = i;
}

int main() {
  float *x;
  int *found;
  cudaMalloc(&x, 2 * sizeof(float));
  cudaMalloc(&found, sizeof(int));
  cudaMemset(found, 0, sizeof(int));
  largest<<<1, 2>>>(x, found);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : Unknown because "the threads race only if both numbers are above 0.5"
// ambit: expect cuda-cpp : Unknown because "the threads race only if both numbers are above 0.5"
