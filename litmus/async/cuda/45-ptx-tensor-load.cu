// A thread loads a box of a tensor and reads the box without waiting for the bytes.
// Source: PTX ISA, cp.async.bulk.tensor
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ alignas(16) unsigned long long g[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

__global__ void load_box(const __grid_constant__ CUtensorMap t, unsigned long long *out) {
  __shared__ alignas(128) unsigned long long s[4];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 1);
  auto *full = cuda::device::barrier_native_handle(bar);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 32);
  const int coordinates[2] = {2, 1};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, &t, coordinates, full);
  out[0] = s[2];
}

// ambit: t = tensormap(g, {4,4}, {2,2});
// ambit: launch load_box<<<1, 1>>>(t, out[2]);
// ambit: exists (out[0] == 10)
// ambit: expect ptx : Sometimes, race on b0:s[2] because "s[2] is the first element of the second row of the box,"
// ambit: "element 2 + 4 * 2 of the tensor; no thread waits for the copy"
