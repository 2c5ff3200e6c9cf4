// All lanes of the single warp decide by a common vote to reach the barrier or to exit.
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
  if (__any_sync(0xf, seen)) {
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
// ambit: expect ptx      : Never, norace, nodivergence because "either all lanes of the warp pass the vote or no lane does"
// ambit: expect cuda-cpp : Never, norace, nodivergence because "either all lanes of the warp pass the vote or no lane does"
