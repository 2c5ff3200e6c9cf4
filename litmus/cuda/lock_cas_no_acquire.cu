// A fence precedes the unlock, but no fence follows the lock.
#include <cuda_runtime.h>

__device__ int mutex = 0;

__device__ void lock() {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
}

__device__ void unlock() {
  __threadfence();
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

// ambit: expect ptx          : Sometimes, race on data[0] because "a relaxed CAS without a later fence is not an acquire pattern"
// ambit: expect cuda-cpp     : Sometimes, race on data[0] because "the exchange releases, but no access acquires"
// ambit: expect hrf-indirect : Always, norace because "fences have no effect, because each atomic synchronises"
// ambit: expect hrf-relaxed  : Sometimes, race on data[0] because "without a fence after it, the CAS is not an acquire"
