// Two threads meet at a barrier. One thread then stores a tensor box that the other thread wrote and fenced. A
// store outside the box does not race.
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
  if (threadIdx.x == 1) g[1] = 5;
}

// ambit: t = tensormap(g, {4}, {2});
// ambit: launch store_box<<<1, 2>>>(t, g[4]);
// ambit: exists (g[2] == 0 || g[1] == 0)
// ambit: expect ptx : Never, norace because "the writer executes a proxy fence before the barrier; the box is g[2] and g[3],"
// ambit: "and the other store is to g[1]"
