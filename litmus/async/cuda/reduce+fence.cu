// A bulk reduction adds shared memory to global memory. Source: PTX ISA 9.7.9.25
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void add_tile(int *g, int *out) {
  __shared__ alignas(16) int s[4];
  for (int i = 0; i < 4; ++i) s[i] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, g, s, 16);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  out[0] = g[0];
}

// ambit: launch add_tile<<<1, 1>>>(g[4], out[1]);
// ambit: exists (out[0] == 0)
// ambit: expect ptx : Never, norace because "the thread executes a proxy fence after its stores and waits for the writes"
