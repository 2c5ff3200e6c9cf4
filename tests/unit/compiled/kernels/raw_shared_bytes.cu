// Two arrays share the bytes of dynamic shared memory. Each thread reads its neighbour's element without a barrier.
__global__ void k(const int *in, int *out) {
  extern __shared__ unsigned char smem[];
  int *a = reinterpret_cast<int *>(smem);
  int *b = reinterpret_cast<int *>(smem + blockDim.x * sizeof(int));
  a[threadIdx.x] = in[threadIdx.x];
  b[threadIdx.x] = 2 * in[threadIdx.x];
  out[threadIdx.x] = a[threadIdx.x ^ 1] + b[threadIdx.x];
}
// ambit: launch k<<<1, 2, 16>>>(in[2], out[2]);
// ambit: expect ptx : race because "the neighbour's element is read without a barrier"
