// A thread changes a tensor map in shared memory, copies the map back to global memory, and acquires the map.
// Source: PTX ISA, tensormap.cp_fenceproxy
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void replace(CUtensorMap *t, unsigned long long *g) {
  __shared__ alignas(128) unsigned long long s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ alignas(128) CUtensorMap d;
  init(&bar, 1);
  ptx::tensormap_replace_box_dim(ptx::space_shared, &d, ptx::n32_t<0>{}, 2);
  ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_cta, t, &d, ptx::n32_t<128>{});
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_cta, t, ptx::n32_t<128>{});
  auto *full = cuda::device::barrier_native_handle(bar);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 16);
  asm volatile("cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
               ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(s))),
               "l"(t), "r"(0), "r"(static_cast<unsigned>(__cvta_generic_to_shared(full)))
               : "memory");
}

// ambit: t[0] = tensormap(g, {4}, {2});
// ambit: launch replace<<<1, 1>>>(t[1], g[4]);
// ambit: expect ptx : norace because "tensormap.cp_fenceproxy also releases the copied map to the tensormap proxy"
