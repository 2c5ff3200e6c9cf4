__global__ void push(int *queue, unsigned *size) {
  __shared__ unsigned base;
  if (threadIdx.x == 0) base = atomicAdd(size, blockDim.x);
  __syncthreads();
  queue[base + threadIdx.x] = threadIdx.x;
}
// ambit: launch push<<<2, 2>>>(queue[4], size[1]);
// ambit: expect ptx : norace because "the barrier orders the leader's reservation before its use"
// ambit: expect cuda-cpp : norace because "the barrier orders the leader's reservation before its use"
