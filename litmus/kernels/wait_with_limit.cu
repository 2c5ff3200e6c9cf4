// A wait gives up after a million polls. The thread reads the data only if it has seen the flag.
__global__ void handover(int *x, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    *x = 1;
    __threadfence();
    *flag = 1;
  } else {
    int i;
    for (i = 0; i < 1000000 && !*flag; ++i) {
    }
    if (i == 1000000) {
      *out = -1;
      return;
    }
    __threadfence();
    *out = *x;
  }
}
// ambit: launch handover<<<2, 1>>>(x[1], flag[1], out[1]);
// ambit: exists (out[0] == -1)
// ambit: expect ptx : Sometimes, norace because "iterations that read 0 differ only in the counter, and the flag orders the data"
