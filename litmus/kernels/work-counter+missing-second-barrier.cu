__global__ void work(int *counter, int *done, int total) {
  __shared__ int index;
  while (true) {
    if (threadIdx.x == 0) index = atomicAdd(counter, 1);
    __syncthreads();
    int mine = index;
    if (mine >= total) break;
    atomicAdd(&done[mine], 1);
  }
}
// ambit: launch work<<<1, 2>>>(counter[1], done[2], 2);
// ambit: expect ptx : race because "the leader may take the next index while other threads still read the old index"
// ambit: expect cuda-cpp : race because "the leader may take the next index while other threads still read the old index"
