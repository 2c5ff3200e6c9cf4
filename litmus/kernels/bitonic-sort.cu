__global__ void bitonic(int *values) {
  __shared__ int shared[4];
  unsigned tid = threadIdx.x;
  shared[tid] = values[tid];
  __syncthreads();
  for (unsigned k = 2; k <= 4; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned ixj = tid ^ j;
      if (ixj > tid) {
        bool up = (tid & k) == 0;
        int a = shared[tid], b = shared[ixj];
        if ((a > b) == up) {
          shared[tid] = b;
          shared[ixj] = a;
        }
      }
      __syncthreads();
    }
  }
  values[tid] = shared[tid];
}
// ambit: launch bitonic<<<1, 4>>>(values[4]);
// ambit: expect ptx : norace because "a barrier ends each compare-exchange step"
// ambit: expect cuda-cpp : norace because "a barrier ends each compare-exchange step"
