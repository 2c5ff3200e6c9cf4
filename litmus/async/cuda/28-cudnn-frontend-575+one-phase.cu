// The second arrival comes only after the other thread has seen the first phase end. Source: cudnn-frontend#575
#include <cuda/barrier>

__global__ void two_phases() {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ cuda::barrier<cuda::thread_scope_block> empty;
  if (threadIdx.x == 0) init(&bar, 1);
  if (threadIdx.x == 0) init(&empty, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    auto first = bar.arrive();
    empty.wait_parity(false);
    auto second = bar.arrive();
  } else {
    bar.wait_parity(false);
    auto seen = empty.arrive();
    bar.wait_parity(true);
  }
}

// ambit: launch two_phases<<<1, 2>>>();
// ambit: expect ptx under fair : terminates because "the second arrival comes only after the other thread has seen the first phase end"
