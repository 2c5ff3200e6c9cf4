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
    }
  }
  values[tid] = shared[tid];
}
// ambit: launch bitonic<<<1, 4>>>(values[4]);
// ambit: expect ptx : race because "the next step reads elements that another thread may still exchange"
// ambit: expect cuda-cpp : race because "the next step reads elements that another thread may still exchange"
