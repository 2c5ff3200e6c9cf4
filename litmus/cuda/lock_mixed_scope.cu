// The unlock is atomicExch_block; all other lock operations have device scope.
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

// ambit: expect ptx          : Always, race on mutex because "the scope of the exchange does not include the other block, so the CAS "
// ambit:                                              "and the exchange race; no increment is lost: the fences are fence.sc and "
// ambit:                                              "ordered, and by Causality no CAS reads a write that follows it in this order"
// ambit: expect cuda-cpp     : race on mutex because "the scope of the exchange does not include the other thread, so the two atomics race"
// ambit: expect hrf-indirect : Always, race because "atomics of different scopes conflict; HRF-indirect lists only SC executions"
// ambit: expect hrf-relaxed  : Sometimes, race because "the scopes are not inclusive"
