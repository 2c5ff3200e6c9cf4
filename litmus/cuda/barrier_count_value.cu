// The barrier returns to every thread how many threads have something, and the last of those threads stores the count.
#include <cuda_runtime.h>

__global__ void count(int *out) {
  const int t = threadIdx.x;
  const int has = t != 1;
  const int all = __syncthreads_count(has);
  if (t == all) out[0] = all;
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  count<<<1, 4>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 3)
// ambit: expect ptx      : Always, norace, nodivergence because "the threads 0, 2 and 3 count, so thread 3 alone stores"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "the threads 0, 2 and 3 count, so thread 3 alone stores"
