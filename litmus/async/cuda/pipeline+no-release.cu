// A block copies one tile ahead with a pipeline of two stages. Source: CUDA C++ Programming Guide, Asynchronous Data
// Copies using cuda::pipeline
#include <cooperative_groups.h>
#include <cuda/pipeline>

constexpr int kTiles = 3;

__global__ void sum_tiles(const int *in, int *out) {
  __shared__ int tile[2][2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int i = 0; i < kTiles + 1; ++i) {
    if (i < kTiles) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[i % 2], in + 2 * i, 2 * sizeof(int), pipe);
      pipe.producer_commit();
    }
    if (i > 0) {
      pipe.consumer_wait();
      sum += tile[(i - 1) % 2][1 - threadIdx.x];
    }
  }
  out[threadIdx.x] = sum;
}

// ambit: launch sum_tiles<<<1, 2>>>(in[6], out[2]);
// ambit: expect ptx under fair : stuck because "the third tile waits forever for the release of the first stage"
