// A tree reduction whose upper half leaves in each round. Each addend was stored before the last barrier that its
// owner reached.
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
// ambit: expect ptx      : Always, norace, nodivergence because "each round's barrier waits for the threads that are left"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "as ptx"
// ambit: expect ptx under fair : terminates because "no thread waits for threads that have exited"
