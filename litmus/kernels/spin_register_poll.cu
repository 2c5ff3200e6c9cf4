// A wait loop polls into a register, tests the register, and backs off with growing delays.
__global__ void handover(int *x, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    *x = 1;
    __threadfence();
    *flag = 1;
  } else {
    int seen = 0;
    unsigned delay = 8;
    while (seen == 0) {
      seen = *flag;
      __nanosleep(delay);
      if (delay < 256) delay *= 2;
    }
#ifndef NO_ACQUIRE
    __threadfence();
#endif
    *out = *x;
  }
}
// ambit: launch handover<<<2, 1>>>(x[1], flag[1], out[1]);
// ambit: forall (out[0] == 1)
// ambit: expect ptx : Always, norace because "an iteration that reads 0 repeats, so the loop is an await of flag == 1"
