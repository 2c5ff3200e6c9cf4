// Two threads write, but only one of them arrives; a third thread reads both words. Source: cudnn-frontend#426
#include <cuda/barrier>

__global__ void hand_over(int *out) {
  __shared__ int a[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  if (threadIdx.x < 2) {
    a[threadIdx.x] = 1;
    if (threadIdx.x == 0) auto token = bar.arrive();
  } else if (threadIdx.x == 2) {
    bar.wait_parity(false);
    out[0] = a[0] + a[1];
  }
}

// ambit: launch hand_over<<<1, 4>>>(out[1]);
// ambit: exists (out[0] < 2)
// ambit: expect ptx : Sometimes, race on b0:a[1] because "the second thread does not arrive"
