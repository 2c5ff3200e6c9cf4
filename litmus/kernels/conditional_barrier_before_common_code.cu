// Half of the block skips the barrier and continues with code that all threads execute. The CUDA guide allows a barrier
// in conditional code only if the whole block takes the same branch, "otherwise the code execution is likely to hang or
// produce unintended side effects". Ambit also reports the race after the barrier.
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

// ambit: expect ptx      : race, divergence because "threads 2 and 3 bypass the barrier; after it, threads 0 and 1 update each other's elements"
// ambit: expect cuda-cpp : race, divergence because "the same argument as for ptx"
// ambit: expect ptx under fair : stuck because "on hardware, threads 2 and 3 may wait where the branches reconverge, while threads 0 and 1 wait at the barrier"
