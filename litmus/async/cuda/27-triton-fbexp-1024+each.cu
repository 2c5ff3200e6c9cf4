// A copy goes to both blocks of a cluster, and both expect the bytes. Source: triton (facebookexperimental)#1024
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2) send(const unsigned long long *g, unsigned long long *out) {
  __shared__ alignas(16) unsigned long long s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto cluster = cg::this_cluster();
  init(&bar, 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  cluster.sync();
  auto *full = cuda::device::barrier_native_handle(bar);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 16);
  if (cluster.block_rank() == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, g, 16, full, 3);
  }
  bar.wait_parity(false);
  out[cluster.block_rank()] = s[0];
}

// ambit: launch send<<<2, 1>>>(g[2], out[2]);
// ambit: expect ptx : norace because "each block waits for its own copy"
// ambit: expect ptx(async-agent=issuer) : race because "the block scope of the wait does not include the issuer in the other block"
// ambit: expect ptx under fair : terminates because "each mbarrier gets the arrival and the bytes that it expects"
