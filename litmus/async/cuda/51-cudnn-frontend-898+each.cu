// A thread changes two tensor maps of an array; another thread acquires the second map and copies with this map.
// Source: cudnn-frontend#898
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ cuda::atomic<int, cuda::thread_scope_device> ready;

__global__ void change_and_load(CUtensorMap *maps, unsigned long long *g) {
  __shared__ alignas(128) unsigned long long s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (blockIdx.x == 1) {
    ptx::tensormap_replace_global_address(ptx::space_global, &maps[0], g);
    ptx::tensormap_replace_global_address(ptx::space_global, &maps[1], g);
    ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_gpu);
    ready.store(1, cuda::memory_order_release);
  } else {
    init(&bar, 1);
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, &maps[1], ptx::n32_t<128>{});
    auto *full = cuda::device::barrier_native_handle(bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 16);
    const int coordinates[1] = {0};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, &maps[1], coordinates, full);
  }
}

// ambit: maps[0] = tensormap(g, {4}, {2});
// ambit: maps[1] = tensormap(g, {4}, {2});
// ambit: launch change_and_load<<<2, 1>>>(maps[2], g[4]);
// ambit: expect ptx : norace because "the change is released to the tensormap proxy, and the issuing thread acquires"
// ambit: "this map"
