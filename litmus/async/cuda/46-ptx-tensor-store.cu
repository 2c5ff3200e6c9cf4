// Two threads meet at a barrier; one then stores a box of a tensor from shared memory that the other thread wrote.
// Source: PTX ISA, cp.async.bulk.tensor
#include <cuda.h>
#include <cuda/barrier>

namespace cde = cuda::device::experimental;

__global__ void store_box(const __grid_constant__ CUtensorMap t, unsigned long long *g) {
  __shared__ alignas(128) unsigned long long s[2];
  if (threadIdx.x == 1) {
    s[0] = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) cde::cp_async_bulk_tensor_1d_shared_to_global(&t, 2, s);
}

// ambit: t = tensormap(g, {4}, {2});
// ambit: launch store_box<<<1, 2>>>(t, g[4]);
// ambit: exists (g[2] == 0)
// ambit: expect ptx : Sometimes, race on b0:s[0] because "a tensor copy reads shared memory through the async proxy: a proxy"
// ambit: "fence must come after the store"
