// One lane polls, and a vote passes the result to the other lane. The poll and the fence are an acquire pattern, and
// __syncwarp orders the other lane after the fence.
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
    __syncwarp(3);
    out[threadIdx.x] = data[0];
  }
}
// ambit: launch handover<<<2, 2>>>(data[1], flag[1], out[2]);
// ambit: forall (out[0] == 1 && out[1] == 1)
// ambit: expect ptx : Always, norace because "both lanes read after the fence of the lane that polled"
