// Two blocks reduce into one box of a tensor. Source: PTX ISA, cp.reduce.async.bulk.tensor
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void reduce_box(const __grid_constant__ CUtensorMap t, unsigned long long *g) {
  __shared__ alignas(128) unsigned long long s[2];
  s[0] = blockIdx.x + 1;
  s[1] = 0;
  ptx::fence_proxy_async(ptx::space_shared);
  const int coordinates[1] = {0};
  ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &t, coordinates, s);
}

// ambit: t = tensormap(g, {4}, {2});
// ambit: launch reduce_box<<<2, 1>>>(t, g[4]);
// ambit: exists (g[0] == 3)
// ambit: expect ptx : Always, norace because "each reduction is atomic at gpu scope, as in bulk reductions"
