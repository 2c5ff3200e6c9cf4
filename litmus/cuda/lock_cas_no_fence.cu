// Like lock_cas.cu, but without fences.
#include <cuda_runtime.h>

__device__ int mutex = 0;

__device__ void lock() {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
}

__device__ void unlock() {
  atomicExch(&mutex, 0);
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

// ambit: expect ptx          : Sometimes, race on data[0] because "relaxed atomics order nothing: accesses may move out of the "
// ambit:                                                          "critical section, and an increment is lost"
// ambit: expect cuda-cpp     : Sometimes, race on data[0] because "there is no release and no acquire, so nothing orders the critical sections"
// ambit: expect hrf-indirect : Always, norace because "HRF-indirect has no relaxed atomics, so each atomic synchronises"
// ambit: expect hrf-relaxed  : Sometimes, race on data[0] because "relaxed atomics never synchronise"
