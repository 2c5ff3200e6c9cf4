// Block-scoped atomics and fences, but the lock is taken by two blocks.
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
// ambit: expect cuda-cpp     : Sometimes, race because "the scope of each operation leaves out the other thread"
// ambit: expect hrf-indirect : Always, race because "two synchronising operations of different blocks conflict; only SC "
// ambit:                                            "executions are listed"
// ambit: expect hrf-relaxed  : Sometimes, race because "atomics whose scopes are not inclusive conflict, and synchronise nothing"
