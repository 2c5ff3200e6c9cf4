// In each round of a tree reduction, the upper half of the threads returns. Each thread stores its addend before its
// last barrier.
#include <cuda_runtime.h>

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[4];
  int i = threadIdx.x;
  s[i] = in[i];
  __syncthreads();
  for (int stride = 2; stride > 0; stride /= 2) {
    if (i >= stride) return;
    s[i] += s[i + stride];
    __syncthreads();
  }
  *out = s[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0xff, 4 * sizeof(int));
  reduce<<<1, 4>>>(in, out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == -4)
// ambit: expect ptx      : Always, norace, nodivergence because "the barrier of each round waits only for threads that have not exited"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "the same argument as for ptx"
// ambit: expect ptx under fair : terminates because "no thread waits for threads that have exited"
