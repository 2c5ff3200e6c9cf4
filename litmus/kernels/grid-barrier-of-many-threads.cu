__global__ void k(int *x, unsigned *arrived, int *out) {
  int i = blockIdx.x * 2 + threadIdx.x;
  x[i] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < 2) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = x[3 - i];
}
// ambit: launch k<<<2, 2>>>(x[4], arrived[1], out[4]);
// ambit: expect ptx : norace because "a barrier of the block precedes the leader's arrival"
