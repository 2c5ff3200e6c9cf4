#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2) k(int *out) {
  __shared__ int mine;
  auto cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  mine = rank + 1;
  cluster.sync();
  out[rank] = *cluster.map_shared_rank(&mine, 1 - rank);
  cluster.sync();
}
// ambit: launch k<<<2, 1>>>(out[2]);
// ambit: expect ptx : norace because "a cluster barrier is between the store and the remote load"
