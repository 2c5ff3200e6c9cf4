// Blocks use the barrier of barrier_counter.cu without fences.
#include <cuda_runtime.h>

__device__ int posted[2];
__device__ int arrived = 0;

__device__ void grid_barrier() {
  atomicAdd(&arrived, 1);
  while (atomicAdd(&arrived, 0) < (int)gridDim.x) {
  }
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

// ambit: expect ptx          : Sometimes, race because "relaxed atomics order nothing"
// ambit: expect cuda-cpp     : Sometimes, race because "relaxed atomics do not synchronise"
// ambit: expect hrf-indirect : Always, norace because "HRF-indirect has no relaxed atomics"
// ambit: expect hrf-relaxed  : Sometimes, race because "relaxed atomics never synchronise"
