// The kernel uses __ldg for data that it writes. A barrier cannot order this load: ld.global.nc is not coherent.
__global__ void shift(int *x, int *out) {
  x[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = __ldg(&x[1 - threadIdx.x]);
}
// ambit: launch shift<<<1, 2>>>(x[2], out[2]);
// ambit: forall (out[0] == 1 && out[1] == 1)
// ambit: expect ptx : Sometimes, race because "the load may return an old value from the cache for read-only data"
