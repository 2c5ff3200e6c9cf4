// The copies of two threads overlap in one element.
#include <cuda_runtime.h>
#include <string.h>

__global__ void digits(int *out) {
  int pair[2] = {1, 2};
  memcpy(&out[threadIdx.x], pair, sizeof(pair));
}

int main() {
  int *out;
  cudaMalloc(&out, 3 * sizeof(int));
  digits<<<1, 2>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on out[1] because "thread 0 writes out[0] and out[1], and thread 1 writes out[1] and out[2]"
// ambit: expect cuda-cpp : race on out[1] because "thread 0 writes out[0] and out[1], and thread 1 writes out[1] and out[2]"
