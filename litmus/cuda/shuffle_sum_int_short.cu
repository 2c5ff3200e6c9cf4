// Shuffles add up the values of a warp's lanes, but the first shuffle distance is 8 instead of 16.
#include <cuda_runtime.h>

__global__ void sum(int *out) {
  int v = threadIdx.x + 1;
  for (int offset = 8; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  if (threadIdx.x == 0) out[0] = v;
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  sum<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: exists (out[0] == 32 * 33 / 2)
// ambit: expect ptx      : Never, norace because "lane 0 has the sum of lanes 0 to 15, which is 136"
// ambit: expect cuda-cpp : Never, norace because "lane 0 has the sum of lanes 0 to 15, which is 136"
