// Half of the block skips the barrier and continues with code that all threads execute: the guide allows a barrier in
// conditional code only if the whole block takes the same way, "otherwise the code execution is likely to hang or
// produce unintended side effects". The race after the barrier is reported as well.
#include <cuda_runtime.h>

__global__ void k(int *x, int *out) {
  if (threadIdx.x < 2) {
    x[threadIdx.x] = 1;
    __syncthreads();
    x[1 - threadIdx.x] += 1;
    x[threadIdx.x] += 1;
  }
  out[threadIdx.x] = 1;
}

int main() {
  int *x, *out;
  cudaMalloc(&x, 2 * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(x, 0, 2 * sizeof(int));
  k<<<1, 4>>>(x, out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race, divergence because "threads 2 and 3 bypass the barrier; threads 0 and 1 update each other's elements after it"
// ambit: expect cuda-cpp : race, divergence because "as ptx"
// ambit: expect ptx under fair : stuck because "hardware may let threads 2 and 3 wait where the branches meet, for threads that wait at the barrier for them"
