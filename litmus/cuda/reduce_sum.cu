// The sum over two warps: each warp adds up its lanes, then one thread adds up the two sums.
#include <cuda_runtime.h>

__global__ void sum(int *out) {
  __shared__ unsigned sums[2];
  const unsigned v = threadIdx.x;
  const unsigned warp = threadIdx.x / 32;
  const unsigned total = __reduce_add_sync(0xffffffff, v);
  if (threadIdx.x % 32 == 0) sums[warp] = total;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sums[0] + sums[1];
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  sum<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 64 * 63 / 2)
// ambit: expect ptx      : Always, norace because "lane 0 of each warp has the sum of its warp, and the barrier orders the stores of the two sums before the reads"
// ambit: expect cuda-cpp : Always, norace because "lane 0 of each warp has the sum of its warp, and the barrier orders the stores of the two sums before the reads"
