__global__ void push(int *queue, unsigned *size) {
  __shared__ unsigned base;
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(size, blockDim.x);
  queue[base + threadIdx.x] = threadIdx.x;
}
// ambit: launch push<<<2, 2>>>(queue[4], size[1]);
// ambit: expect ptx : race because "threads may use the base before the leader has stored it"
// ambit: expect cuda-cpp : race because "threads may use the base before the leader has stored it"
