// A thread that does not call arrive_and_drop stays in all later phases. Source: PTX ISA 9.7.13.15.14
#include <cuda/barrier>

__global__ void leave() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 2);
  __syncthreads();
  if (threadIdx.x == 0) {
    auto token = bar.arrive();
  } else {
    bar.arrive_and_wait();
    bar.arrive_and_wait();
  }
}

// ambit: launch leave<<<1, 2>>>();
// ambit: expect ptx under fair : stuck because "the second phase expects two arrivals"
