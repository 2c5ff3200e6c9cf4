// A tensor copy stores a box, and a thread stores to an element of this box.
// Source: PTX ISA, cp.async.bulk.tensor
#include <cuda.h>
#include <cuda/barrier>

namespace cde = cuda::device::experimental;

__global__ void store_box(const __grid_constant__ CUtensorMap t, unsigned long long *g) {
  __shared__ alignas(128) unsigned long long s[2];
  if (threadIdx.x == 1) {
    s[0] = 1;
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  if (threadIdx.x == 0) cde::cp_async_bulk_tensor_1d_shared_to_global(&t, 2, s);
  if (threadIdx.x == 1) g[3] = 5;
}

// ambit: t = tensormap(g, {4}, {2});
// ambit: launch store_box<<<1, 2>>>(t, g[4]);
// ambit: exists (g[3] == 5)
// ambit: expect ptx : Sometimes, race on g[3] because "g[3] is the second element of the box at 2"
