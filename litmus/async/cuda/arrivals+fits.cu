// A thread arrives with a count of 2 at an mbarrier that expects two arrivals.
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void kernel(int *out) {
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 2);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 2);
  } else {
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
    }
    out[0] = 1;
  }
}

// ambit: launch kernel<<<1, 2>>>(out[1]);
// ambit: expect ptx : norace, defined because "two arrivals are pending"
