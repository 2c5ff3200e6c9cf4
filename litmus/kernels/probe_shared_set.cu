// Two threads each insert a key into a set by linear probing, then store to the index in ids[0].
__global__ void k(const int *cols, int *wins, int *out) {
  __shared__ int ids[4];
  ids[threadIdx.x] = -1;
  ids[threadIdx.x + 2] = -1;
  __syncthreads();
  int key = cols[threadIdx.x], at = key & 3;
  while (true) {
    int seen = *(volatile int *)&ids[at];
    if (seen == key) break;
    if (seen == -1) {
      if (atomicCAS(&ids[at], -1, key) == -1) break;
    } else {
      at = (at + 1) & 3;
    }
  }
  out[ids[0] + 1] = at;
}
// ambit: launch k<<<1, 2>>>(cols[2], wins[1], out[8]);
// ambit: exists (out[1] != 0)
// ambit: expect ptx : Never, race on out[1] because "both keys are 0, so both threads store to out[1]"
