// A kernel stores by a bulk copy, waits until the copy has read its source, and exits. The next kernel in the stream
// reads the stored data.
// Source: CUDA C++ Programming Guide, asynchronous data copies; PTX ISA 8.9.4, "API synchronization".
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void produce(int *g) {
  __shared__ alignas(16) int s[4];
  s[0] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, g, s, 16);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}

__global__ void consume(const int *g, int *out) { out[0] = g[0]; }

// ambit: launch produce<<<1, 1>>>(g[4]);
// ambit: then launch consume<<<1, 1>>>(g, out[1]);
// ambit: forall (out[0] == 1)
// ambit: expect ptx : Always, norace, defined because "a kernel ends only after all its memory operations have been performed"
