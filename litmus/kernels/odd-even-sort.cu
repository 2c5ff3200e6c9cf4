__global__ void sort(int *data) {
  __shared__ int s[4];
  int t = threadIdx.x;
  s[2 * t] = data[2 * t];
  s[2 * t + 1] = data[2 * t + 1];
  __syncthreads();
  for (int phase = 0; phase < 2; ++phase) {
    int i = 2 * t + phase;
    if (i + 1 < 4 && s[i] > s[i + 1]) {
      int x = s[i];
      s[i] = s[i + 1];
      s[i + 1] = x;
    }
    __syncthreads();
  }
  data[2 * t] = s[2 * t];
  data[2 * t + 1] = s[2 * t + 1];
}
// ambit: { global int data[4] = {4, 3, 2, 1}; }
// ambit: launch sort<<<1, 2>>>(data);
// ambit: expect ptx : norace because "a barrier separates the odd phase from the even phase"
// ambit: expect cuda-cpp : norace because "a barrier separates the odd phase from the even phase"
