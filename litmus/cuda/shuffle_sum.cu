// Shuffles add up the values of a warp's lanes; lane 0 writes the sum.
#include <cuda_runtime.h>

__global__ void sum(const float *x, float *out) {
  float v = x[threadIdx.x];
  for (int offset = 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xf, v, offset);
  if (threadIdx.x == 0) out[0] = v;
}

int main() {
  float *x, *out;
  cudaMalloc(&x, 4 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  sum<<<1, 4>>>(x, out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : norace, nodivergence because "only lane 0 writes; shuffles do not access memory"
// ambit: expect cuda-cpp : norace, nodivergence because "only lane 0 writes; shuffles do not access memory"
