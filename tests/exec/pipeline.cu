// The threads of a block share a cuda::pipeline. Destructors run at the end of the kernel, and the last destructor
// invalidates the mbarriers. For machines without nvcc, pipeline.ptx is the PTX of this file (see behaviour.cu).
#include <cooperative_groups.h>
#include <cuda/pipeline>

extern "C" __global__ void through_pipeline(const int *in, int *out, int reads_early) {
  auto block = cooperative_groups::this_thread_block();
  __shared__ int tile[64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  pipeline.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<4>(4), pipeline);
  pipeline.producer_commit();
  if (reads_early == 0) pipeline.consumer_wait();
  block.sync();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  if (reads_early != 0) pipeline.consumer_wait();
  pipeline.consumer_release();
}
