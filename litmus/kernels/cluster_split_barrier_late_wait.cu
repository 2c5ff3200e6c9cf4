// The blocks use a split cluster barrier, but each block reads before it waits.
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) swap_values(int *out) {
  __shared__ int s;
  auto cluster = cooperative_groups::this_cluster();
  s = cluster.block_rank();
  auto token = cluster.barrier_arrive();
  out[cluster.block_rank()] = *cluster.map_shared_rank(&s, cluster.block_rank() ^ 1);
  cluster.barrier_wait(std::move(token));
  cluster.sync();
}
// ambit: launch swap_values<<<2, 1>>>(out[2]);
// ambit: expect ptx : race because "an arrival without a wait orders nothing"
