// One thread copies tiles, and another reads them. Source: CUDA C++ Programming Guide, Pipeline Interface
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void copy_tiles(const int *in, int *out) {
  __shared__ int tile[2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  const cuda::pipeline_role role =
      threadIdx.x == 0 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  for (int i = 0; i < 3; ++i) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[i % 2], in + i, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[i] = tile[i % 2];
      pipe.consumer_release();
    }
  }
}

// ambit: launch copy_tiles<<<1, 2>>>(in[3], out[3]);
// ambit: expect ptx : norace because "the producer waits until a stage is released"
// ambit: expect ptx under fair : terminates because "each phase expects one arrival, from the producer or from the consumer"
