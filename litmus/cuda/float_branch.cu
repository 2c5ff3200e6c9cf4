// A branch on a floating-point number: which thread writes depends on values that Ambit does not follow.
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

// ambit: expect ptx      : Unknown because "there is a race only if both numbers are above 0.5"
// ambit: expect cuda-cpp : Unknown because "there is a race only if both numbers are above 0.5"
