// Threads beyond n clear their element and return. An exit is not an arrival and does not order these stores before the
// other threads' barrier (PTX ISA, barrier: only accesses of the executing thread are performed).
#include <cuda_runtime.h>

__global__ void pad(int *out, int *sum, int n) {
  int i = threadIdx.x;
  if (i >= n) {
    out[i] = 1;
    return;
  }
  out[i] = 2;
  __syncthreads();
  if (i == 0) *sum = out[n - 1] + out[n];
}

int main() {
  int *out, *sum;
  cudaMalloc(&out, 3 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(out, 0, 3 * sizeof(int));
  pad<<<1, 3>>>(out, sum, 2);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on out[2], nodivergence because "thread 2 exits without the barrier, so nothing orders its store before the load of thread 0"
// ambit: expect cuda-cpp : race on out[2], nodivergence because "an exit does not synchronise with the barrier"
// ambit: expect ptx under fair : terminates because "thread 2 exits"
