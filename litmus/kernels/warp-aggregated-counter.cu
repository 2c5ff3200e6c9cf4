__global__ void count(const int *in, int *total) {
  unsigned votes = __ballot_sync(0x3u, in[threadIdx.x] != 0);
  if (threadIdx.x == 0) atomicAdd(total, __popc(votes));
}
// ambit: launch count<<<2, 2>>>(in[2], total[1]);
// ambit: expect ptx : norace because "one atomic for each warp adds its votes"
// ambit: expect cuda-cpp : norace because "one atomic for each warp adds its votes"
