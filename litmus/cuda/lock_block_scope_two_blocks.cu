// The atomics and fences have block scope, but two blocks take the lock.
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
  lock();
  data[0] = data[0] + 1;
  unlock();
}

int main() {
  int *data;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  increment<<<2, 1>>>(data);
  return cudaDeviceSynchronize();
}

// ambit: forall (data[0] == 2)

// ambit: expect ptx          : Sometimes, race because "neither fences nor atomics of different blocks are morally strong"
// ambit: expect cuda-cpp     : Sometimes, race because "the scope of each operation does not include the other thread"
// ambit: expect hrf-indirect : Always, race because "two synchronising operations with the scopes of different blocks "
// ambit:                                            "conflict; HRF-indirect lists only SC executions"
// ambit: expect hrf-relaxed  : Sometimes, race because "atomics conflict and do not synchronise if their scopes are not inclusive"
