// Each thread has its own pipeline and waits only for its own copies, so reads of other copies need a barrier. Source:
// CUDA C++ Programming Guide, Pipeline Interface
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void load(const int *in, int *out) {
  __shared__ int tile[2];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], in + threadIdx.x, sizeof(int), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __syncthreads();
  out[threadIdx.x] = tile[1 - threadIdx.x];
  pipe.consumer_release();
}

// ambit: launch load<<<1, 2>>>(in[2], out[2]);
// ambit: expect ptx : norace because "wait_prior<0> covers the last commit"
