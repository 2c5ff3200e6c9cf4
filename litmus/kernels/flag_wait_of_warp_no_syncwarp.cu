// Like flag_wait_of_warp.cu, but without __syncwarp; a vote does not order memory accesses.
__global__ void handover(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      data[0] = 1;
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    int seen = 0;
    while (!__any_sync(3, seen)) {
      if (threadIdx.x == 0) seen = *(volatile int *)flag;
    }
    __threadfence();
    out[threadIdx.x] = data[0];
  }
}
// ambit: launch handover<<<2, 2>>>(data[1], flag[1], out[2]);
// ambit: forall (out[0] == 1 && out[1] == 1)
// ambit: expect ptx : Sometimes, race because "lane 1 has not read the flag, and nothing orders it after lane 0"
