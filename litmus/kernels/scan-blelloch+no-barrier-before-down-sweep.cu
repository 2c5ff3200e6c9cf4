#define N 4
__global__ void scan(int *data) {
  __shared__ int temp[N];
  int t = threadIdx.x, offset = 1;
  temp[2 * t] = data[2 * t];
  temp[2 * t + 1] = data[2 * t + 1];
  for (int d = N >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (t == 0) temp[N - 1] = 0;
  for (int d = 1; d < N; d *= 2) {
    offset >>= 1;
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      int old = temp[a];
      temp[a] = temp[b];
      temp[b] += old;
    }
  }
  __syncthreads();
  data[2 * t] = temp[2 * t];
  data[2 * t + 1] = temp[2 * t + 1];
}
// ambit: launch scan<<<1, 2>>>(data[4]);
// ambit: expect ptx : race because "a thread clears the root while another thread may still read it in the up-sweep"
// ambit: expect cuda-cpp : race because "a thread clears the root while another thread may still read it in the up-sweep"
