// A thread changes a tensor map while a load with this map may be in progress.
// Source: PTX ISA 9.7.10.28.1
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void change(CUtensorMap *t, unsigned long long *g) {
  __shared__ alignas(128) unsigned long long s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 1);
  auto *full = cuda::device::barrier_native_handle(bar);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 16);
  asm volatile("cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
               ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(s))),
               "l"(t), "r"(0), "r"(static_cast<unsigned>(__cvta_generic_to_shared(full)))
               : "memory");
  ptx::tensormap_replace_global_address(ptx::space_global, t, g);
}

// ambit: t[0] = tensormap(g, {4}, {2});
// ambit: launch change<<<1, 1>>>(t[1], g[4]);
// ambit: expect ptx : race on t[0] because "no thread waits until the copy has read the map"
