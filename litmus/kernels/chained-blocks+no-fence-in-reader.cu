__global__ void chain(int *carry, int *flag, int *out) {
  int b = blockIdx.x;
  if (b > 0) {
    while (atomicAdd(&flag[b - 1], 0) == 0) {
    }
    carry[b] = carry[b - 1] + 1;
  } else {
    carry[0] = 1;
  }
  __threadfence();
  atomicExch(&flag[b], 1);
  out[b] = carry[b];
}
// ambit: launch chain<<<3, 1>>>(carry[3], flag[3], out[3]);
// ambit: expect ptx : race because "nothing orders the read of the data after the read of the flag"
// ambit: expect cuda-cpp : race because "nothing orders the read of the data after the read of the flag"
