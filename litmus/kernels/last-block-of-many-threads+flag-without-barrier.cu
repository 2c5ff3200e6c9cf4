__global__ void sum(int *partial, unsigned *ticket, int *out) {
  __shared__ bool is_last;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[i] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(ticket, 1) == gridDim.x - 1;
  if (is_last) {
    __threadfence();
    out[threadIdx.x] = partial[threadIdx.x] + partial[blockDim.x + threadIdx.x];
  }
}
// ambit: launch sum<<<2, 2>>>(partial[4], ticket[1], out[2]);
// ambit: expect ptx : race because "the other threads may read the flag before thread 0 has stored it"
