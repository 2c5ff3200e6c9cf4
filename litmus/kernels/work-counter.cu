__global__ void work(int *counter, int *done, int total) {
  __shared__ int index;
  while (true) {
    if (threadIdx.x == 0) index = atomicAdd(counter, 1);
    __syncthreads();
    int mine = index;
    __syncthreads();
    if (mine >= total) break;
    atomicAdd(&done[mine], 1);
  }
}
// ambit: launch work<<<1, 2>>>(counter[1], done[2], 2);
// ambit: expect ptx : norace because "the barrier at the end of the loop lets all threads read the index before it changes"
// ambit: expect cuda-cpp : norace because "the barrier at the end of the loop lets all threads read the index before it changes"
