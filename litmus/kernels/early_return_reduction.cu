// A block reduces n elements, and n is less than the block size: the other threads return first.
#include <cuda_runtime.h>

__global__ void reduce(const int *in, int *out, int n) {
  __shared__ int s[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int t = threadIdx.x;
  s[t] = in[i];
  __syncthreads();
  for (int stride = 2; stride > 0; stride /= 2) {
    if (t < stride && i + stride < n) s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 7 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0xff, 7 * sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  reduce<<<2, 4>>>(in, out, 7);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == -7)
// ambit: expect ptx      : Always, norace, nodivergence because "each round ends with a barrier of the threads that have not exited"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "the same argument as for ptx"
