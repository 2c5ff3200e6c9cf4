__global__ void k(int *out) {
  __shared__ int x;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) x = 1;
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 32) *out = x;
  }
}
// ambit: launch k<<<1, 64>>>(out[1]);
// ambit: expect ptx : norace because "the writer and the reader synchronise at the same barrier"
