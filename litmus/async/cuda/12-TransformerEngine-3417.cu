// The leader issues a bulk store; each thread waits for its own groups; another thread refills the source. Source:
// TransformerEngine#3417
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void store_and_refill(unsigned long long *g) {
  __shared__ alignas(16) unsigned long long s[2];
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, g, s, 16);
    ptx::cp_async_bulk_commit_group();
  }
  __syncthreads();
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
  if (threadIdx.x == 1) s[0] = 2;
}

// ambit: launch store_and_refill<<<1, 2>>>(g[2]);
// ambit: expect ptx : race on b0:s[0] because "a thread can wait only for its own bulk groups"
