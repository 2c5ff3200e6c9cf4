// Host code launches on two GPUs. The kernels run concurrently, and system scope includes both kernels.
#include <cuda_runtime.h>

__managed__ int data;
__managed__ int flag;
__managed__ int seen;

__global__ void produce() {
  data = 1;
  __threadfence_system();
  atomicExch_system(&flag, 1);
}

__global__ void consume() {
  if (atomicAdd_system(&flag, 0) == 1) {
    __threadfence_system();
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

// ambit: expect ptx : norace because "the fences synchronise through the flag at system scope"
// ambit: expect cuda-cpp : norace because "the fences synchronise through the flag at system scope"
