// Two threads write, and both arrive; a third thread reads both words. Source: cudnn-frontend#426
#include <cuda/barrier>

__global__ void hand_over(int *out) {
  __shared__ int a[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 2);
  __syncthreads();
  if (threadIdx.x < 2) {
    a[threadIdx.x] = 1;
    auto token = bar.arrive();
  } else if (threadIdx.x == 2) {
    bar.wait_parity(false);
    out[0] = a[0] + a[1];
  }
}

// ambit: launch hand_over<<<1, 4>>>(out[1]);
// ambit: exists (out[0] < 2)
// ambit: expect ptx : Never, norace because "both threads arrive"
