// A vote makes the lanes wait for each other, but does not order memory accesses.
#include <cuda_runtime.h>

__global__ void neighbours(int *out) {
  __shared__ int s[2];
  const int t = threadIdx.x;
  s[t] = t;
  __any_sync(0x3, t == 0);
  out[t] = s[1 - t];
}

int main() {
  int *out;
  cudaMalloc(&out, 2 * sizeof(int));
  neighbours<<<1, 2>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on b0:s[0] because "votes and shuffles do not imply a memory barrier (CUDA's guide)"
// ambit: expect cuda-cpp : race on b0:s[0] because "votes and shuffles do not imply a memory barrier (CUDA's guide)"
