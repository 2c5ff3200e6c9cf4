// The sum of a warp's lanes by shuffles; the condition checks the value.
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
// ambit: expect ptx      : Always, norace because "five halvings bring the numbers of all 32 lanes to lane 0"
// ambit: expect cuda-cpp : Always, norace because "five halvings bring the numbers of all 32 lanes to lane 0"
