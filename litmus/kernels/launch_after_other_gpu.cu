// The host waits for the first GPU before it launches on the second, so the second kernel starts after the first ends.
#include <cuda_runtime.h>

__managed__ int data;
__managed__ int seen;

__global__ void produce() { data = 1; }
__global__ void consume() { seen = data; }

int main() {
  cudaSetDevice(0);
  produce<<<1, 1>>>();
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  consume<<<1, 1>>>();
  return cudaDeviceSynchronize();
}

// ambit: forall (seen == 1)
// ambit: expect ptx      : Always, norace because "cudaDeviceSynchronize waits for produce, and consume starts after it"
// ambit: expect cuda-cpp : Always, norace because "the same argument as for ptx"
