// Two kernels on one GPU exchange data with flags; fences of device scope are enough.
#include <cuda_runtime.h>

__global__ void all_reduce(int *mine, int *theirs, volatile int *my_flag, volatile int *their_flag, int *result) {
  mine[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    *their_flag = 1;
    while (*my_flag == 0) {}
    __threadfence();
  }
  __syncthreads();
  result[threadIdx.x] = mine[threadIdx.x] + theirs[threadIdx.x];
}

// ambit: { global int b0[2]; global int b1[2]; global int f0; global int f1; global int r0[2]; global int r1[2]; }
// ambit: launch all_reduce<<<1, 2>>>(b0, b1, &f0, &f1, r0);
// ambit: launch all_reduce<<<1, 2>>>(b1, b0, &f1, &f0, r1);
// ambit: exists (r0[0] == 1)
// ambit: expect ptx : Never, norace because "both kernels run on gpu 0, so device scope includes both kernels"
