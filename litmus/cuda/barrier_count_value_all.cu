// Each thread stores the count that the barrier returns, unless the count is its own index; several threads store.
#include <cuda_runtime.h>

__global__ void count(int *out) {
  const int t = threadIdx.x;
  const int has = t != 1;
  const int all = __syncthreads_count(has);
  if (t != all) out[0] = all;
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  count<<<1, 4>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on out[0] because "threads 0, 1 and 2 store to the same word"
// ambit: expect cuda-cpp : race on out[0] because "threads 0, 1 and 2 store to the same word"
