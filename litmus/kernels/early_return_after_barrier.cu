// Like early_return_after_store.cu, but the threads beyond n return after the barrier, which orders their stores.
#include <cuda_runtime.h>

__global__ void pad(int *out, int *sum, int n) {
  int i = threadIdx.x;
  out[i] = i >= n ? 1 : 2;
  __syncthreads();
  if (i >= n) return;
  int right = out[i + 1];
  __syncthreads();
  out[i] = right;
  __syncthreads();
  if (i == 0) *sum = out[0] + out[1];
}

int main() {
  int *out, *sum;
  cudaMalloc(&out, 3 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(out, 0, 3 * sizeof(int));
  pad<<<1, 3>>>(out, sum, 2);
  return cudaDeviceSynchronize();
}

// ambit: forall (sum[0] == 3)
// ambit: expect ptx      : Always, norace, nodivergence because "thread 2 stores before the first barrier; the later barriers wait for threads 0 and 1"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "the same argument as for ptx"
// ambit: expect ptx under fair : terminates because "thread 2 exits"
