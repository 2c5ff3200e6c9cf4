// All blocks synchronise at a barrier that a counter implements.
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

// ambit: expect ptx          : Always, norace because "the fence and the addition release together, and the addition and the fence acquire together; read-modify-writes form the chain between them"
// ambit: expect cuda-cpp     : Always, norace because "the fences synchronise, because one atomic between them reads from another"
// ambit: expect hrf-indirect : Always, norace because "each addition synchronises at device scope"
// ambit: expect hrf-relaxed  : Always, norace because "with the fences, the additions are releases and acquires"
