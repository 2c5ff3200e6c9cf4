// __syncthreads_count is a barrier of the block: a read after it sees the writes before it.
#include <cuda_runtime.h>

__global__ void flags(const int *in, int *positive, int *out) {
  __shared__ int s[2];
  const int t = threadIdx.x;
  s[t] = t + 5;
  const int count = __syncthreads_count(in[t] > 0);
  out[t] = s[1 - t];
  if (t == 0) positive[0] = count;
}

int main() {
  int *in, *positive, *out;
  cudaMalloc(&in, 2 * sizeof(int));
  cudaMemset(in, 0, 2 * sizeof(int));
  cudaMalloc(&positive, sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  flags<<<1, 2>>>(in, positive, out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 6 && out[1] == 5)
// ambit: expect ptx      : Always, norace because "the barrier separates the writes and the reads"
// ambit: expect cuda-cpp : Always, norace because "the barrier separates the writes and the reads"
