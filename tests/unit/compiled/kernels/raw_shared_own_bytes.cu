// Two arrays share the bytes of dynamic shared memory. Each thread reads only its own elements.
__global__ void k(const int *in, int *out) {
  extern __shared__ unsigned char smem[];
  int *a = reinterpret_cast<int *>(smem);
  int *b = reinterpret_cast<int *>(smem + blockDim.x * sizeof(int));
  a[threadIdx.x] = in[threadIdx.x] + 1;
  b[threadIdx.x] = in[threadIdx.x] + 2;
  out[threadIdx.x] = *(volatile int *)&out[threadIdx.x] + a[threadIdx.x] + b[threadIdx.x];
}
// ambit: launch k<<<1, 2, 16>>>(in[2], out[2]);
// ambit: forall (out[0] == 3 && out[1] == 3)
// ambit: expect ptx : Always, norace because "no element is shared"
