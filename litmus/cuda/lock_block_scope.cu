// The atomics and fences have block scope, and the two threads (of 64) that take the lock are in one block.
#include <cuda_runtime.h>

__device__ int mutex = 0;

__device__ void lock() {
  while (atomicCAS_block(&mutex, 0, 1) != 0) {
  }
  __threadfence_block();
}

__device__ void unlock() {
  __threadfence_block();
  atomicExch_block(&mutex, 0);
}

__global__ void increment(int *data) {
  if (threadIdx.x % 32 != 0) return;  // only lane 0 of each warp continues
  lock();
  data[0] = data[0] + 1;
  unlock();
}

int main() {
  int *data;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  increment<<<1, 64>>>(data);
  return cudaDeviceSynchronize();
}

// ambit: forall (data[0] == 2)

// ambit: expect ptx          : Always, norace because "block scope includes both threads"
// ambit: expect cuda-cpp     : Always, norace because "block scope includes both threads"
// ambit: expect hrf-indirect : Always, norace because "both threads synchronise at the scope of the same block"
// ambit: expect hrf-relaxed  : Always, norace because "the block scopes are inclusive"
