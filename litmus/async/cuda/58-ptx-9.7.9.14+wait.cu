// A thread stores a vector asynchronously; another thread waits for both elements' bytes. Source: PTX ISA 9.7.9.14
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(1, 1, 1) send(unsigned *out) {
  __shared__ alignas(8) unsigned s[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  auto *full = cuda::device::barrier_native_handle(bar);
  if (threadIdx.x == 0) {
    const unsigned values[2] = {1, 2};
    ptx::st_async(s, values, full);
  } else {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 8);
    while (!ptx::mbarrier_try_wait_parity(full, 0)) {
    }
    out[0] = s[1];
  }
}

// ambit: launch send<<<1, 2>>>(out[1]);
// ambit: exists (out[0] != 2)
// ambit: expect ptx : Never, norace because "one completion counts the bytes of both elements"
// ambit: expect ptx under fair : terminates because "the 8 bytes arrive"
