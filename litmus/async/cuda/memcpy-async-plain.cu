// Elements of 2 bytes are too narrow for cp.async: the library uses plain stores, and the arrival releases them.
// Source: libcu++
#include <cooperative_groups.h>
#include <cuda/barrier>

__global__ void load(const short *in, int *out) {
  __shared__ short tile[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof(tile), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[1 - threadIdx.x];
}

// ambit: launch load<<<1, 2>>>(in[2], out[2]);
// ambit: expect ptx : norace because "each thread arrives after its stores"
