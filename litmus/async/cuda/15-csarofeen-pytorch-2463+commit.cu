// A thread commits a group and then waits for it. Source: csarofeen/pytorch#2463
#include <cuda_pipeline.h>

__global__ void load(const int *x, int *out) {
  __shared__ int a;
  __pipeline_memcpy_async(&a, x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[0] = a;
}

// ambit: launch load<<<1, 1>>>(x[1], out[1]);
// ambit: expect ptx : norace because "the wait covers the committed group"
