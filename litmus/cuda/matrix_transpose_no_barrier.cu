// A block transposes a tile without a barrier between the writes and the reads.
#include <cuda_runtime.h>

#define N 2

__global__ void transpose(const float *in, float *out) {
  __shared__ float tile[N][N + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * N + x];
  out[y * N + x] = tile[x][y];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, N * N * sizeof(float));
  cudaMalloc(&out, N * N * sizeof(float));
  transpose<<<1, dim3(N, N)>>>(in, out);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx      : race on b0:tile[0][1] because "one thread writes the element that another thread reads"
// ambit: expect cuda-cpp : race on b0:tile[0][1] because "one thread writes the element that another thread reads"
