// 33 threads of two warps pass values to their neighbours through shared memory.
#include <cuda_runtime.h>

__global__ void rotate(int *out) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x, n = blockDim.x;
  s[t] = t * 10;
  __syncthreads();
  out[t] = s[(t + 1) % n];
}

int main() {
  const int n = 33;
  int *out;
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(out, 0xff, n * sizeof(int));
  rotate<<<1, n, n * sizeof(int)>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 10 && out[31] == 320 && out[32] == 0)

// ambit: expect ptx          : Always, norace because "the barrier separates the writes and the reads"
// ambit: expect cuda-cpp     : Always, norace because "the barrier synchronises the block"
// ambit: expect hrf-indirect : Always, norace because "the barrier is a release and an acquire of the block"
// ambit: expect hrf-relaxed  : Always, norace because "the barrier orders the block"
