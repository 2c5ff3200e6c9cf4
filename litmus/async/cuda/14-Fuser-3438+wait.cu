// A thread copies with __pipeline_memcpy_async; another thread reads the copy after a barrier. Source:
// Fuser#3438
#include <cuda_pipeline.h>

__global__ void load(const int *x, int *out) {
  __shared__ int a;
  if (threadIdx.x == 0) {
    __pipeline_memcpy_async(&a, x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  __syncthreads();
  if (threadIdx.x == 1) out[0] = a;
}

// ambit: launch load<<<1, 2>>>(x[1], out[1]);
// ambit: expect ptx : norace because "the issuer waits for its copy before the barrier"
