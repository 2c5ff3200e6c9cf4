// Two threads meet at a barrier. One thread then copies data to global memory by a bulk copy; the other thread wrote
// the data to shared memory. Source: FlashKDA#24
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void store_tile(unsigned long long *g) {
  __shared__ alignas(16) unsigned long long s[2];
  if (threadIdx.x == 1) {
    s[0] = 1;
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, g, s, 16);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}

// ambit: launch store_tile<<<1, 2>>>(g[2]);
// ambit: exists (g[0] == 0)
// ambit: expect ptx : Never, norace because "the writer executes a proxy fence before the barrier"
// ambit: expect ptx(async-fence=writer) : Never, norace because "the fence is in the thread of the store"
