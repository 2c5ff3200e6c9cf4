// A thread reads a slot; another thread refills the slot by a bulk copy after a barrier. Source:
// TransformerEngine#2695
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void refill(const unsigned long long *g, unsigned long long *out) {
  __shared__ alignas(16) unsigned long long s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 1);
  if (threadIdx.x == 1) {
    out[0] = s[0];
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    auto *full = cuda::device::barrier_native_handle(bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 16);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, g, 16, full);
  }
}

// ambit: launch refill<<<1, 2>>>(g[2], out[1]);
// ambit: expect ptx : norace because "the reader executes a proxy fence after its read"
// ambit: expect ptx(async-fence=writer) : norace because "the fence is in the thread of the read"
