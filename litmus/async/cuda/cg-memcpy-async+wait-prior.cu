// A block copies with cooperative_groups::memcpy_async. Source: CUDA C++ Programming Guide, Cooperative
// Groups, memcpy_async
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void load(const int *in, int *out) {
  __shared__ int tile[2];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(tile));
  cg::wait_prior<1>(block);
  out[threadIdx.x] = tile[1 - threadIdx.x];
}

// ambit: launch load<<<1, 2>>>(in[2], out[2]);
// ambit: expect ptx : race on b0:tile[0] because "the only batch of copies is also the most recent batch, so it may be unfinished"
