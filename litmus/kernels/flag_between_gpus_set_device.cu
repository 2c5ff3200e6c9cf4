// Host code launches on two GPUs. The kernels run concurrently, and device scope does not include both kernels.
#include <cuda_runtime.h>

__managed__ int data;
__managed__ int flag;
__managed__ int seen;

__global__ void produce() {
  data = 1;
  __threadfence();
  atomicExch_system(&flag, 1);
}

__global__ void consume() {
  if (atomicAdd_system(&flag, 0) == 1) {
    __threadfence();
    seen = data;
  }
}

int main() {
  cudaSetDevice(0);
  produce<<<1, 1>>>();
  cudaSetDevice(1);
  consume<<<1, 1>>>();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx : race on data because "the scopes of the two fences do not include each other's thread"
// ambit: expect cuda-cpp : race on data because "fences of device scope do not synchronise across devices"
