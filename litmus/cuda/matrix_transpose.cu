// A block transposes a tile of a matrix through a two-dimensional array in shared memory.
#include <cuda_runtime.h>

#define N 2

__global__ void transpose(const float *in, float *out) {
  __shared__ float tile[N][N + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * N + x];
  __syncthreads();
  out[y * N + x] = tile[x][y];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, N * N * sizeof(float));
  cudaMalloc(&out, N * N * sizeof(float));
  transpose<<<1, dim3(N, N)>>>(in, out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : norace because "the barrier separates the writes and the reads of the tile"
// ambit: expect cuda-cpp : norace because "the barrier separates the writes and the reads of the tile"
