// The blocks use a split cluster barrier: first the arrival, then the wait.
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) swap_values(int *out) {
  __shared__ int s;
  auto cluster = cooperative_groups::this_cluster();
  s = cluster.block_rank();
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(std::move(token));
  out[cluster.block_rank()] = *cluster.map_shared_rank(&s, cluster.block_rank() ^ 1);
  cluster.sync();
}
// ambit: launch swap_values<<<2, 1>>>(out[2]);
// ambit: exists (out[0] == 1 && out[1] == 0)
// ambit: expect ptx : Always, norace because "each block waits for the arrival of the other block"
