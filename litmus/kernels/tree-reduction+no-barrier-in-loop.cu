template <int BLOCK>
__global__ void reduce(const int *in, int *out) {
  __shared__ int sums[BLOCK];
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * BLOCK + t];
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride >>= 1) {
    if (t < stride) {
      sums[t] += sums[t + stride];
    }
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
// ambit: launch reduce<4><<<1, 4>>>(in[4], out[1]);
// ambit: expect ptx : race because "a thread reads partial sums that its neighbour may still write"
// ambit: expect cuda-cpp : race because "a thread reads partial sums that its neighbour may still write"
