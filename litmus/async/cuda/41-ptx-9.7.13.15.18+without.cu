// cp.async.mbarrier.arrive arrives when the earlier copies of its thread are complete. Source: PTX ISA
// 9.7.13.15.18
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void load(const int *x, int *out) {
  __shared__ int a;
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(&a))),
                 "l"(x)
                 : "memory");
    auto token = bar.arrive();
  } else {
    bar.wait_parity(false);
    out[0] = a;
  }
}

// ambit: launch load<<<1, 2>>>(x[1], out[1]);
// ambit: expect ptx : race on b0:a because "the arrival of the thread does not wait for the thread's copy"
