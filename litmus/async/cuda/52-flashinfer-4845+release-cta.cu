// Both fences have block scope, and the threads are in two blocks. Source: flashinfer#4845
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ cuda::atomic<int, cuda::thread_scope_device> ready;
__device__ CUtensorMap t;

__global__ void publish(const __grid_constant__ CUtensorMap fresh, unsigned long long *g) {
  __shared__ alignas(128) unsigned long long s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (blockIdx.x == 1) {
    t = fresh;
    ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_cta);
    ready.store(1, cuda::memory_order_release);
  } else {
    init(&bar, 1);
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_cta, &t, ptx::n32_t<128>{});
    auto *full = cuda::device::barrier_native_handle(bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 16);
    const int coordinates[1] = {0};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, &t, coordinates, full);
  }
}

// ambit: t = tensormap(g, {4}, {2});
// ambit: fresh = tensormap(g, {4}, {2});
// ambit: launch publish<<<2, 1>>>(fresh, g[4]);
// ambit: expect ptx : race on t because "neither fence has a scope that includes the other thread"
