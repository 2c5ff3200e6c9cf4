// One thread changes the tensor map, releases the map and acquires the map. Source: PTX ISA 9.7.15.4
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void replace(CUtensorMap *t, unsigned long long *g) {
  __shared__ alignas(128) unsigned long long s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 1);
  ptx::tensormap_replace_global_address(ptx::space_global, t, g);
  ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_gpu);
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, t, ptx::n32_t<128>{});
  auto *full = cuda::device::barrier_native_handle(bar);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 16);
  asm volatile("cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
               ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(s))),
               "l"(t), "r"(0), "r"(static_cast<unsigned>(__cvta_generic_to_shared(full)))
               : "memory");
}

// ambit: t[0] = tensormap(g, {4}, {2});
// ambit: launch replace<<<1, 1>>>(t[1], g[4]);
// ambit: expect ptx : norace because "a releasing and then an acquiring fence are between the change and the copy"
