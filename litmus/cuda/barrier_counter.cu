// A barrier of all blocks by a counter.
#include <cuda_runtime.h>

__device__ int posted[2];
__device__ int arrived = 0;

__device__ void grid_barrier() {
  __threadfence();
  atomicAdd(&arrived, 1);
  while (atomicAdd(&arrived, 0) < (int)gridDim.x) {
  }
  __threadfence();
}

__global__ void exchange(int *result) {
  posted[blockIdx.x] = 1;
  grid_barrier();
  result[blockIdx.x] = posted[1 - blockIdx.x];
}

int main() {
  int *result;
  cudaMalloc(&result, 2 * sizeof(int));
  exchange<<<2, 1>>>(result);
  return cudaDeviceSynchronize();
}

// ambit: forall (result[0] == 1 && result[1] == 1)

// ambit: expect ptx          : Always, norace because "fence; add releases, add; fence acquires, through the chain of adds"
// ambit: expect cuda-cpp     : Always, norace because "fences around atomics that read from each other synchronise"
// ambit: expect hrf-indirect : Always, norace because "each add is a synchronising operation of the device"
// ambit: expect hrf-relaxed  : Always, norace because "fences lift the adds to release and acquire"
