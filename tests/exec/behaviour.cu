// Kernels for tests of `ambit exec --launch`. Machines without nvcc use behaviour.ptx, made by nvcc -std=c++17
// -arch=sm_90 -ptx -lineinfo behaviour.cu. The path in .file is shortened.
#include <cuda_pipeline.h>

// Without the wait, the copies may be pending when the neighbour reads.
extern "C" __global__ void copy_and_read(const int4 *in, int *out, int waits) {
  __shared__ int4 tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int4));
  __pipeline_commit();
  if (waits != 0) __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x].x;
}

// If `differ` is 0, all threads write 1; otherwise each thread writes its number.
extern "C" __global__ void mark(int *done, int differ) { *done = differ != 0 ? (int)threadIdx.x : 1; }

// Block 0 publishes data without a release; block 1 reads the flag once, and reads the data if the flag is set.
extern "C" __global__ void look_once(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42;
    atomicExch(flag, 1);
  } else if (atomicAdd(flag, 0) == 1) {
    *out = *data;
  }
}
