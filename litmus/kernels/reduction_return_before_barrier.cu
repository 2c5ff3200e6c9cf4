// Like reduction_return_in_loop.cu, but threads return between their addition and the barrier. The next round reads sums
// of threads that exited without arriving at the barrier.
#include <cuda_runtime.h>

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[4];
  int i = threadIdx.x;
  s[i] = in[i];
  __syncthreads();
  for (int stride = 2; stride > 0; stride /= 2) {
    if (i < stride) s[i] += s[i + stride];
    if (i >= stride / 2 && i > 0) return;
    __syncthreads();
  }
  *out = s[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 4 * sizeof(int));
  reduce<<<1, 4>>>(in, out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race, nodivergence because "thread 1 stores s[1] and exits; nothing orders the store before the load of thread 0 in the next round"
// ambit: expect cuda-cpp : race, nodivergence because "the same argument as for ptx"
// ambit: expect ptx under fair : terminates because "no thread waits for threads that have exited"
