// The guard keeps threads 2 and 3 from accessing elements that do not exist, because n[0] is 0.
__global__ void copy(const int *n, int *out) {
  __shared__ int s[2];
  if (threadIdx.x < 2) s[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x < n[0]) out[threadIdx.x] = s[threadIdx.x];
}
// ambit: launch copy<<<1, 4>>>(n[1], out[4]);
// ambit: forall (out[2] == 0)
// ambit: expect ptx : Always, norace because "no execution performs the out-of-range access"
