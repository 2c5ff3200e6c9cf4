// Shuffles add up the values of a warp's lanes; the condition checks the sum.
#include <cuda_runtime.h>

__global__ void sum(int *out) {
  int v = threadIdx.x + 1;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  if (threadIdx.x == 0) out[0] = v;
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  sum<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 32 * 33 / 2)
// ambit: expect ptx      : Always, norace because "after five steps of a tree reduction, lane 0 has the sum of all 32 lanes"
// ambit: expect cuda-cpp : Always, norace because "after five steps of a tree reduction, lane 0 has the sum of all 32 lanes"
