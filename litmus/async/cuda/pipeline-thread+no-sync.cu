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
  pipe.consumer_wait();
  out[threadIdx.x] = tile[1 - threadIdx.x];
  pipe.consumer_release();
}

// ambit: launch load<<<1, 2>>>(in[2], out[2]);
// ambit: expect ptx : race on b0:tile[0] because "the wait of a thread covers only its own copies"
