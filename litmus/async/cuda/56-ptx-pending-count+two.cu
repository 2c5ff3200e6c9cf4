// Each of two threads arrives and reads the number of pending arrivals. Source: PTX ISA, mbarrier.pending_count
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
  if (threadIdx.x == 0) init(&bar, 3);
  __syncthreads();
  out[threadIdx.x] = pending(ptx::mbarrier_arrive_no_complete(cuda::device::barrier_native_handle(bar), 1));
}

// ambit: launch count_pending<<<1, 2>>>(out[2]);
// ambit: exists (out[0] == out[1])
// ambit: expect ptx : Never, norace, defined because "operations on one mbarrier execute one at a time"
