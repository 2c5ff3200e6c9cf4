// A kernel stores by a bulk copy and exits without waiting. The next kernel in the stream reads the stored data.
// Source: PTX ISA 5.1, 8.9.4
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void produce(int *g) {
  __shared__ alignas(16) int s[4];
  s[0] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, g, s, 16);
  ptx::cp_async_bulk_commit_group();
}

__global__ void consume(const int *g, int *out) { out[0] = g[0]; }

// ambit: launch produce<<<1, 1>>>(g[4]);
// ambit: then launch consume<<<1, 1>>>(g, out[1]);
// ambit: expect ptx : norace, undefined because "the block may exit before the copy has read the block's shared memory"
