// Shuffles add up the values of a warp's lanes; every lane writes the sum to the same place.
#include <cuda_runtime.h>

__global__ void sum(const float *x, float *out) {
  float v = x[threadIdx.x];
  for (int offset = 2; offset > 0; offset /= 2) v += __shfl_xor_sync(0xf, v, offset);
  out[0] = v;
}

int main() {
  float *x, *out;
  cudaMalloc(&x, 4 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  sum<<<1, 4>>>(x, out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on out[0] because "nothing orders the lanes' writes to the same word, even though all lanes write the same value"
// ambit: expect cuda-cpp : race on out[0] because "nothing orders the lanes' writes to the same word, even though all lanes write the same value"
