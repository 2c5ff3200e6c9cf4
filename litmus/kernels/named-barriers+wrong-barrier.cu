__global__ void k(int *out) {
  __shared__ int x;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) x = 1;
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    __syncwarp();
    if (threadIdx.x == 32) *out = x;
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
}
// ambit: launch k<<<1, 64>>>(out[1]);
// ambit: expect ptx : race because "the writer and the reader arrive at different barriers"
