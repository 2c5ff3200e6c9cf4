// A thread makes two of three arrivals and reads the number of pending arrivals before each of the two.
// Source: PTX ISA, mbarrier.pending_count
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ unsigned pending(uint64_t state) {
  unsigned count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
  return count;
}

__global__ void count_pending(unsigned *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 3);
  auto *object = cuda::device::barrier_native_handle(bar);
  uint64_t first = ptx::mbarrier_arrive_no_complete(object, 1);
  uint64_t second = ptx::mbarrier_arrive_no_complete(object, 1);
  out[0] = pending(first);
  out[1] = pending(second);
}

// ambit: launch count_pending<<<1, 1>>>(out[2]);
// ambit: exists (out[0] == 3 && out[1] == 2)
// ambit: expect ptx : Always, norace, defined because "an arrival returns the state before the arrival: first three"
// ambit: "arrivals are pending, then two"
