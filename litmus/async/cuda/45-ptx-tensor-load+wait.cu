// A thread loads a box of a tensor, waits for the bytes of the box, and reads the box.
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
  while (!ptx::mbarrier_try_wait_parity(full, 0)) {
  }
  out[0] = s[2];
  out[1] = s[1];
}

// ambit: t = tensormap(g, {4,4}, {2,2});
// ambit: launch load_box<<<1, 1>>>(t, out[2]);
// ambit: exists (out[0] == 10 && out[1] == 7)
// ambit: expect ptx : Always, norace because "the box has the elements 6, 7, 10 and 11 of the tensor; the phase"
// ambit: "ends when its 32 bytes have arrived"
// ambit: expect ptx under fair : terminates because "the copy delivers the expected bytes"
