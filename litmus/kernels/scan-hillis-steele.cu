__global__ void scan(const int *in, int *out) {
  __shared__ int s[4];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 4; d *= 2) {
    int v = 0;
    if (t >= d) v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}
// ambit: launch scan<<<1, 4>>>(in[4], out[4]);
// ambit: expect ptx : norace because "in each step, a barrier is between the reads and the writes"
// ambit: expect cuda-cpp : norace because "in each step, a barrier is between the reads and the writes"
