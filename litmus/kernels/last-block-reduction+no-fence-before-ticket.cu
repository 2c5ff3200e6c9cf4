__device__ unsigned ticket = 0;
__device__ int partial[2];

__global__ void sum(const int *in, int *out) {
  partial[blockIdx.x] = in[2 * blockIdx.x] + in[2 * blockIdx.x + 1];
  unsigned done = atomicAdd(&ticket, 1);
  if (done == gridDim.x - 1) {
    __threadfence();
    int total = 0;
    for (int i = 0; i < 2; ++i) total += partial[i];
    *out = total;
  }
}
// ambit: launch sum<<<2, 1>>>(in[4], out[1]);
// ambit: expect ptx : race because "nothing orders the partial sum before the ticket"
// ambit: expect cuda-cpp : race because "nothing orders the partial sum before the ticket"
