// The host passes the address of a tensor map in global memory; no thread waits for the box.
#include <cuda.h>
#include <cuda/barrier>
namespace cde = cuda::device::experimental;
__global__ void load_box(const CUtensorMap *map, int *out) {
  __shared__ alignas(128) int s[8];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 1);
  cde::cp_async_bulk_tensor_2d_global_to_shared(s, map, 0, 0, bar);
  cuda::device::barrier_arrive_tx(bar, 1, 32);
  out[0] = s[0] + s[7];
}
// ambit: { global int g[32] = {1, ...}; }
// ambit: t = tensormap(g, {8,4}, {4,2});
// ambit: launch load_box<<<1, 1>>>(t, out[1]);
// ambit: expect ptx : race because "an arrival does not wait"
