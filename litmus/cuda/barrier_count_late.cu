// Each thread reads its neighbour's element before the barrier __syncthreads_count.
#include <cuda_runtime.h>

__global__ void flags(const int *in, int *positive, int *out) {
  __shared__ int s[2];
  const int t = threadIdx.x;
  s[t] = t + 5;
  out[t] = s[1 - t];
  const int count = __syncthreads_count(in[t] > 0);
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

// ambit: expect ptx      : race on b0:s[0] because "the reads precede the barrier"
// ambit: expect cuda-cpp : race on b0:s[0] because "the reads precede the barrier"
