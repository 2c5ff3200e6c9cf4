// One block-scoped lock operation among device-scoped ones: unlock by atomicExch_block.
#include <cuda_runtime.h>

__device__ int mutex = 0;

__device__ void lock() {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void unlock() {
  __threadfence();
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

// ambit: expect ptx          : Always, race on mutex because "the exchange's scope leaves out the other block, so CAS and exchange "
// ambit:                                              "race; no increment is lost, for the fences are fence.sc, have an "
// ambit:                                              "order, and by Causality no CAS reads a write that comes later in it"
// ambit: expect cuda-cpp     : race on mutex because "an atomic whose scope excludes the other thread races with it"
// ambit: expect hrf-indirect : Always, race because "atomics of different scopes conflict; only SC executions are listed"
// ambit: expect hrf-relaxed  : Sometimes, race because "the scopes are not inclusive"
