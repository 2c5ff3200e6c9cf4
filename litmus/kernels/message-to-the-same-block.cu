__global__ void k(int *x, int *out) {
  if (threadIdx.x == 0) *x = 1;
  __syncthreads();
  if (threadIdx.x == 32) *out = *x;
}
// ambit: launch k<<<1, 33>>>(x[1], out[1]);
// ambit: expect ptx : norace because "the barrier orders the store and the load of the two warps"
// ambit: expect cuda-cpp : norace because "the barrier orders the store and the load of the two warps"
