// A block reads a cell of its peer and arrives at the cluster barrier with a relaxed arrival. The peer then overwrites
// the cell.
// Source: PTX ISA, barrier.cluster: "use memory fence prior to arrive for relaxed barrier"
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2) kernel(int *out) {
  __shared__ int s;
  auto cluster = cooperative_groups::this_cluster();
  s = 0;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    out[0] = *cluster.map_shared_rank(&s, 1);
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
  } else {
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    s = 1;
  }
}

// ambit: launch kernel<<<2, 1>>>(out[1]);
// ambit: exists (out[0] == 1)
// ambit: expect ptx : Sometimes, race because "a relaxed arrival orders nothing"
