#include <cuda_pipeline.h>
__global__ void k(const int *in, int *out) {
  __shared__ int buffer[2][2];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&buffer[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  __pipeline_memcpy_async(&buffer[1][t], &in[2 + t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(2);
  __syncthreads();
  out[t] = buffer[0][1 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[2 + t] = buffer[1][1 - t];
}
// ambit: launch k<<<1, 2>>>(in[4], out[4]);
// ambit: expect ptx : race because "after the wait, the copy of the tile that the thread reads may still be pending"
