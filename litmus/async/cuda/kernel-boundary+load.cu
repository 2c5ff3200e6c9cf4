// A kernel writes global memory. The next kernel in the stream loads this memory by a bulk copy.
// Source: PTX ISA 8.9.4: the end of a kernel is in proxy-preserved base causality order.
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void produce(int *g) { g[0] = 1; }

__global__ void consume(const int *g, int *out) {
  __shared__ alignas(16) int s[4];
  __shared__ uint64_t bar;
  ptx::mbarrier_init(&bar, 1);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 16);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, g, 16, &bar);
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[0] = s[0];
}

// ambit: launch produce<<<1, 1>>>(g[4]);
// ambit: then launch consume<<<1, 1>>>(g, out[1]);
// ambit: forall (out[0] == 1)
// ambit: expect ptx : Always, norace because "the previous kernel is complete for every proxy except the tensormap proxy"
