// An exchange takes the lock, but a plain store releases it.
#include <cuda_runtime.h>

__device__ int mutex = 0;

__device__ void lock() {
  while (atomicExch(&mutex, 1) != 0) {
  }
  __threadfence();
}

__device__ void unlock() {
  __threadfence();
  mutex = 0;
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

// ambit: expect ptx          : Always, race on mutex because "the weak store races with the exchange; no increment is lost: "
// ambit:                                              "__threadfence is fence.sc, so the two fences are ordered; by Causality "
// ambit:                                              "the exchange cannot read a write that follows it in this order"
// ambit: expect cuda-cpp     : race on mutex because "the store is not atomic, so the behaviour is undefined"
// ambit: expect hrf-indirect : race on mutex because "an ordinary store conflicts with a synchronising operation"
// ambit: expect hrf-relaxed  : Sometimes, race on mutex because "an ordinary store conflicts with an atomic"
