// A block copies with cuda::memcpy_async at a barrier; each thread copies 4 bytes with cp.async. Source: CUDA C++
// Programming Guide, memcpy_async
#include <cooperative_groups.h>
#include <cuda/barrier>

__global__ void load(const int *in, int *out) {
  __shared__ int tile[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof(tile), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[1 - threadIdx.x];
}

// ambit: launch load<<<1, 2>>>(in[2], out[2]);
// ambit: expect ptx : norace because "the phase ends when both copies are complete"
// ambit: expect ptx under fair : terminates because "both threads and both copies arrive"
