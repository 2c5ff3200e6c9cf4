// The lanes exchange values through shared memory. __syncwarp orders the accesses; the earlier vote does not.
#include <cuda_runtime.h>

__global__ void neighbours(int *out) {
  __shared__ int s[2];
  const int t = threadIdx.x;
  s[t] = t;
  __any_sync(0x3, t == 0);
  __syncwarp(0x3);
  out[t] = s[1 - t];
}

int main() {
  int *out;
  cudaMalloc(&out, 2 * sizeof(int));
  neighbours<<<1, 2>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 1 && out[1] == 0)
// ambit: expect ptx      : Always, norace because "__syncwarp orders the memory accesses of the lanes that take part"
// ambit: expect cuda-cpp : Always, norace because "__syncwarp orders the memory accesses of the lanes that take part"
