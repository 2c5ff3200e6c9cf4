// One bulk copy loads a tile of 16 aligned bytes. The block, here one thread, reads the tile and copies the next tile
// into the same place. Source: libcu++; CUDA C++ Programming Guide, memcpy_async
#include <cooperative_groups.h>
#include <cuda/barrier>

#include <cuda/ptx>

__global__ void two_tiles(const unsigned long long *in, unsigned long long *out) {
  __shared__ alignas(16) unsigned long long tile[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof(tile)), bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[threadIdx.x];
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  block.sync();
  cuda::memcpy_async(block, tile, in + 2, cuda::aligned_size_t<16>(sizeof(tile)), bar);
  auto token = bar.arrive();
}

// ambit: launch two_tiles<<<1, 1>>>(in[4], out[1]);
// ambit: expect ptx : norace because "each reader executes a proxy fence before the barrier of the block"
// ambit: expect ptx under fair : terminates because "each phase gets the arrivals and the bytes that it expects"
