// Two blocks take the lock, but the fences have block scope.
#include <cuda_runtime.h>

__device__ int mutex = 0;

__device__ void lock() {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence_block();
}

__device__ void unlock() {
  __threadfence_block();
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

// ambit: expect ptx          : Sometimes, race on data[0] because "the fences are not morally strong, because the scope of each fence does not include the other thread"
// ambit: expect cuda-cpp     : Sometimes, race on data[0] because "each fence's scope must include the thread of the other fence"
// ambit: expect hrf-indirect : Always, norace because "fences have no effect, because each atomic synchronises at device scope"
// ambit: expect hrf-relaxed  : Sometimes, race on data[0] because "a fence and an atomic together have the narrower scope, which is the block"
