// The program uses addresses of local variables, prototypes without names, memset, memcpy and constant memory.
#include <cuda_runtime.h>
#include <string.h>

__constant__ int factors[2] = {2, 3};

__device__ void split(int, int *, int *);

__global__ void digits(int *out) {
  int low, high;
  split(factors[threadIdx.x] * 7, &low, &high);
  int pair[2];
  memset(pair, 0, sizeof(pair));
  pair[0] = low;
  pair[1] += high;
  memcpy(&out[2 * threadIdx.x], pair, 2 * sizeof(int));
}

__device__ void split(int n, int *low, int *high) {
  *low = n % 10;
  *high = n / 10;
}

int main() {
  int *out;
  cudaMalloc(&out, 4 * sizeof(int));
  digits<<<1, 2>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 4 && out[1] == 1 && out[2] == 1 && out[3] == 2)
// ambit: expect ptx      : Always, norace because "the digits of 14 are 1 and 4, and the digits of 21 are 2 and 1; each thread writes only its own two elements"
// ambit: expect cuda-cpp : Always, norace because "the digits of 14 are 1 and 4, and the digits of 21 are 2 and 1; each thread writes only its own two elements"
