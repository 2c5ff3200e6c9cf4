// A thread reads the sums of both warps without waiting for the other warp.
#include <cuda_runtime.h>

__global__ void sum(int *out) {
  __shared__ unsigned sums[2];
  const unsigned v = threadIdx.x;
  const unsigned warp = threadIdx.x / 32;
  const unsigned total = __reduce_add_sync(0xffffffff, v);
  if (threadIdx.x % 32 == 0) sums[warp] = total;
  if (threadIdx.x == 0) out[0] = sums[0] + sums[1];
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  sum<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 64 * 63 / 2)
// ambit: expect ptx      : race on b0:sums[1] because "the warp reduction synchronises only the lanes of one warp, not the two warps"
// ambit: expect cuda-cpp : race on b0:sums[1] because "the warp reduction synchronises only the lanes of one warp, not the two warps"
