// arrive_and_drop removes the thread from the phase and from all later phases. Source: PTX ISA 9.7.13.15.14
#include <cuda/barrier>

__global__ void leave() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 2);
  __syncthreads();
  if (threadIdx.x == 0) {
    bar.arrive_and_drop();
  } else {
    bar.arrive_and_wait();
    bar.arrive_and_wait();
  }
}

// ambit: launch leave<<<1, 2>>>();
// ambit: expect ptx : norace, defined because "the second phase expects one arrival"
// ambit: expect ptx under fair : terminates because "the second phase expects one arrival"
