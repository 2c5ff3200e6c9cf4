// A thread of block 1 copies with cp.async, waits, and arrives at
// block 0's barrier; block 0's leader reads the copy. Source: cutlass#3324
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2) read_peer(const int *x, int *out) {
  __shared__ int a;
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 0) {
    init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  auto *full = cluster.map_shared_rank(cuda::device::barrier_native_handle(bar), 0);
  if (cluster.block_rank() == 1) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(&a))),
                 "l"(x)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(full)))
                 : "memory");
  } else {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, full, 0)) {
    }
    out[0] = *cluster.map_shared_rank(&a, 1);
  }
  cluster.sync();
}

// ambit: launch read_peer<<<2, 1>>>(x[1], out[1]);
// ambit: expect ptx : race on b1:a because "the default scope of the arrival is the block, even at a remote barrier"
