// A wait gives up after a million polls, and the thread then reads the data even if the flag is not set.
__global__ void handover(int *x, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *x = 1;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    for (int tries = 1000000; tries > 0; --tries) {
      if (atomicAdd(flag, 0) != 0) break;
    }
    __threadfence();
    *out = *x;
  }
}
// ambit: launch handover<<<2, 1>>>(x[1], flag[1], out[1]);
// ambit: exists (out[0] == 0)
// ambit: expect ptx : Sometimes, race because "after the last try nothing orders the read of x"
