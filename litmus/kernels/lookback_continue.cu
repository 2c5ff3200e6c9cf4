// In a look-back scan, each block adds up the values that earlier blocks have published. The poll uses `continue`.
__device__ int state[3], aggregate[3], inclusive[3];

__global__ void scan(int *out) {
  int block = blockIdx.x;
  aggregate[block] = 1 + block;
  __threadfence();
  atomicExch(&state[block], 1);
  int sum = 0;
  int before = block - 1;
  while (before >= 0) {
    int seen = *(volatile int *)&state[before];
    if (seen == 0) continue;
    __threadfence();
    if (seen == 2) {
      sum += inclusive[before];
      break;
    }
    sum += aggregate[before];
    --before;
  }
  inclusive[block] = sum + 1 + block;
  __threadfence();
  atomicExch(&state[block], 2);
  out[block] = sum;
}
// ambit: launch scan<<<3, 1>>>(out[3]);
// ambit: forall (out[0] == 0 && out[1] == 1 && out[2] == 3)
// ambit: expect ptx : Always, norace because "an iteration that reads 0 repeats, and any other iteration continues with the previous block"
