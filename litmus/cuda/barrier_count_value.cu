// The barrier returns the number of nonzero predicates to every thread; the thread with this index stores the number.
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
// ambit: expect ptx      : Always, norace, nodivergence because "threads 0, 2 and 3 are counted, so only thread 3 stores"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "threads 0, 2 and 3 are counted, so only thread 3 stores"
