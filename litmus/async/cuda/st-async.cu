// A thread stores with st.async, and another thread reads the stored value. Source: PTX ISA 9.7.9.12
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(1, 1, 1) send(int *out) {
  __shared__ int s;
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  auto *full = cuda::device::barrier_native_handle(bar);
  if (threadIdx.x == 0) {
    ptx::st_async(&s, 1, full);
  } else {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 4);
    out[0] = s;
  }
}

// ambit: launch send<<<1, 2>>>(out[1]);
// ambit: exists (out[0] == 0)
// ambit: expect ptx : Sometimes, race on b0:s because "no thread waits for the store"
