// A thread overwrites the source of its own bulk load while the load may still read the source. Source: DeepGEMM#343
#include <cuda/barrier>

namespace cde = cuda::device::experimental;

__global__ void load_and_change(unsigned long long *g) {
  __shared__ alignas(16) unsigned long long s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 1);
  cde::fence_proxy_async_shared_cta();
  cde::cp_async_bulk_global_to_shared(s, g, 16, bar);
  auto token = cuda::device::barrier_arrive_tx(bar, 1, 16);
  g[0] = 2;
}

// ambit: launch load_and_change<<<1, 1>>>(g[2]);
// ambit: expect ptx : race on g[0] because "program order does not order the store after the asynchronous read"
