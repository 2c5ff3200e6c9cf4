#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(const int *in, int *out) {
  __shared__ alignas(16) int stage[4];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 16);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage, in + 4 * i, 16, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, i & 1)) {
    }
    out[2 * i + threadIdx.x] = stage[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
  }
}
// ambit: launch k<<<1, 2>>>(in[8], out[4]);
// ambit: expect ptx : norace because "the readers execute a proxy fence before they release the stage"
