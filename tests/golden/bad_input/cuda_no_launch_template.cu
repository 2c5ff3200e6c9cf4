#include <cuda_runtime.h>
template <typename T, int BLOCK>
__global__ void reduce(const T *__restrict__ in, T *out, int n) {
  __shared__ T s[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) { T sum = 0; for (int j = 0; j < BLOCK; ++j) sum += s[j]; out[blockIdx.x] = sum; }
}
