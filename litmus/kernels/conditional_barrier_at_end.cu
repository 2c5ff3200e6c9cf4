// Half of the block takes another branch, which ends the kernel. The end of that branch is equivalent to a return: the
// barrier waits only for the threads that have not exited.
#include <cuda_runtime.h>

__global__ void k(int *y) {
  if (threadIdx.x < 2) {
    y[threadIdx.x] = 1;
    __syncthreads();
    y[2 + threadIdx.x] = y[1 - threadIdx.x];
  } else if (threadIdx.x == 2) {
    y[4] = 5;
  }
}

int main() {
  int *y;
  cudaMalloc(&y, 8 * sizeof(int));
  cudaMemset(y, 0, 8 * sizeof(int));
  k<<<1, 4>>>(y);
  return cudaDeviceSynchronize();
}

// ambit: forall (y[2] == 1 && y[3] == 1 && y[4] == 5)
// ambit: expect ptx      : Always, norace, nodivergence because "threads 2 and 3 exit without the barrier, and the barrier completes without them"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "the same argument as for ptx"
// ambit: expect ptx under fair : terminates because "threads 2 and 3 exit"
