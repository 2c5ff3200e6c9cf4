// The issuer waits until its bulk store is complete; another thread reads the destination. Source:
// triton#7141
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void store_and_read(unsigned long long *g, unsigned long long *out) {
  __shared__ alignas(16) unsigned long long s[2];
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, g, s, 16);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
  __syncthreads();
  if (threadIdx.x == 1) out[0] = g[0];
}

// ambit: launch store_and_read<<<1, 2>>>(g[2], out[1]);
// ambit: expect ptx : norace because "the wait covers the copy's writes and acts as a proxy fence for these writes"
