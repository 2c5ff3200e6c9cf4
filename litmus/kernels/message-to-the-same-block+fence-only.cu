__global__ void k(int *x, int *out) {
  if (threadIdx.x == 0) *x = 1;
  __threadfence_block();
  if (threadIdx.x == 32) *out = *x;
}
// ambit: launch k<<<1, 33>>>(x[1], out[1]);
// ambit: expect ptx : race because "a fence without a flag or a barrier orders nothing between threads"
// ambit: expect cuda-cpp : race because "a fence without a flag or a barrier orders nothing between threads"
