__global__ void smooth(const int *in, int *out, int n) {
  __shared__ int s[4];
  int i = threadIdx.x;
  if (i >= n) return;
  s[i] = in[i];
  __syncthreads();
  int left = s[(i + n - 1) % n];
  __syncthreads();
  s[i] = left + 1;
  __syncthreads();
  out[i] = s[i];
}
// ambit: launch smooth<<<1, 4>>>(in[3], out[3], 3);
// ambit: expect ptx : norace because "threads beyond the array return early, and the barriers wait only for the other threads"
// ambit: expect cuda-cpp : norace because "threads beyond the array return early, and the barriers wait only for the other threads"
