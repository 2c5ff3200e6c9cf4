// An exchange takes the lock. A failed exchange also writes, but the lock word stays 1.
#include <cuda_runtime.h>

__device__ int mutex = 0;

__device__ void lock() {
  while (atomicExch(&mutex, 1) != 0) {
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

// ambit: expect ptx          : Always, norace because "the exchange that reads 0 reads from the unlock and, with the fence, acquires"
// ambit: expect cuda-cpp     : Always, norace because "the fences synchronise, because one exchange reads from the other"
// ambit: expect hrf-indirect : Always, norace because "each exchange synchronises at device scope"
// ambit: expect hrf-relaxed  : Always, norace because "with the fences, the exchanges are releases and acquires"
