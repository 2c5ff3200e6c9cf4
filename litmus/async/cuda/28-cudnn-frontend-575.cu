// A thread arrives for two phases before the other thread has seen the first phase end. Source: cudnn-frontend#575
#include <cuda/barrier>

__global__ void two_phases() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    auto first = bar.arrive();
    auto second = bar.arrive();
  } else {
    bar.wait_parity(false);
  }
}

// ambit: launch two_phases<<<1, 2>>>();
// ambit: expect ptx under fair : stuck because "after two phases the parity is the same as before"
