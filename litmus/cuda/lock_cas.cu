// A correct spin lock: the fences are inside the critical section.
#include <cuda_runtime.h>

__device__ int mutex = 0;

__device__ void lock() {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence();
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

// ambit: expect ptx          : Always, norace because "the fence and the exchange release together, and the CAS and the fence acquire together, all at device scope"
// ambit: expect cuda-cpp     : Always, norace because "the fences synchronise, because the CAS reads from the exchange"
// ambit: expect hrf-indirect : Always, norace because "every atomic synchronises at device scope"
// ambit: expect hrf-relaxed  : Always, norace because "with the fences, the relaxed atomics are releases and acquires"
