// The kernel computes values but stores nothing.
#include <cuda_runtime.h>

__global__ void idle(int n) {
  float x = n;
  for (int i = 0; i < 4; ++i) x = x * 0.5f + 1.0f;
}

int main() {
  idle<<<2, 32>>>(3);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : norace because "the threads share nothing"
// ambit: expect cuda-cpp : norace because "the threads share nothing"
