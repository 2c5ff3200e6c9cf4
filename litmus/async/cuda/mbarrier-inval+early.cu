// A block loads by a bulk copy, waits, and reads; a thread then invalidates the mbarrier, without a block barrier.
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void kernel(const int *g, int *out) {
  __shared__ alignas(16) int s[4];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 16);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, g, 16, &bar);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[threadIdx.x] = s[threadIdx.x];
  if (threadIdx.x == 0) {
    const unsigned address = __cvta_generic_to_shared(&bar);
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(address) : "memory");
  }
}

// ambit: launch kernel<<<1, 2>>>(g[4], out[2]);
// ambit: expect ptx : race because "the other thread may still wait at the mbarrier"
