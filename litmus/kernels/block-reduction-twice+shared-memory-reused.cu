__device__ int block_sum(int v) {
  __shared__ int s[4];
  s[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x == 0) s[0] = s[0] + s[1];
  __syncthreads();
  int total = s[0];
  return total;
}
__global__ void k(int *out) {
  int a = block_sum(1);
  int b = block_sum(a);
  out[threadIdx.x] = a + b;
}
// ambit: launch k<<<1, 2>>>(out[2]);
// ambit: expect ptx : race because "the second reduction may overwrite the first result before other threads have read it"
// ambit: expect cuda-cpp : race because "the second reduction may overwrite the first result before other threads have read it"
