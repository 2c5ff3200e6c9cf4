// Each lane reads the flag itself and then either reaches the barrier or exits.
#include <cuda_runtime.h>

__device__ int flag = 0;

__global__ void agree(int *out) {
  __shared__ int s[4];
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) atomicExch(&flag, 1);
    return;
  }
  const int seen = atomicAdd(&flag, 0);
  s[threadIdx.x] = 7;
  if (seen) {
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x + 1) % 4];
  }
}

int main() {
  int *out;
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(out, 0, 4 * sizeof(int));
  agree<<<2, 4>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: exists (out[0] != out[1])
// ambit: expect ptx      : race, nodivergence because "a lane that reads 0 exits without the barrier, so nothing orders its store to s before the neighbour's load"
// ambit: expect cuda-cpp : race, nodivergence because "a lane that reads 0 exits without the barrier, so nothing orders its store to s before the neighbour's load"
