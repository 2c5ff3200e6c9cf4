#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2) k(int *out) {
  __shared__ int mine;
  auto cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  mine = rank + 1;
  __syncthreads();
  out[rank] = *cluster.map_shared_rank(&mine, 1 - rank);
  cluster.sync();
}
// ambit: launch k<<<2, 1>>>(out[2]);
// ambit: expect ptx : race because "the barrier of the block does not order the store of the other block"
