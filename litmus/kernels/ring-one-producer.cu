__global__ void ring(int *slot, volatile unsigned *tail, int *out) {
  if (blockIdx.x == 0) {
    for (unsigned i = 0; i < 2; ++i) {
      slot[i] = i + 1;
      __threadfence();
      *tail = i + 1;
    }
  } else {
    for (unsigned i = 0; i < 2; ++i) {
      while (*tail <= i) {
      }
      __threadfence();
      out[i] = slot[i];
    }
  }
}
// ambit: launch ring<<<2, 1>>>(slot[2], tail[1], out[2]);
// ambit: expect ptx : norace because "both sides execute a fence between the accesses to the slot and the index"
