// By linear probing, each of two threads finds or inserts its key in a slot, and counts at this slot.
__global__ void count(const int *keys, int *counts) {
  __shared__ int ids[4];
  ids[threadIdx.x] = -1;
  ids[threadIdx.x + 2] = -1;
  __syncthreads();
  int key = keys[threadIdx.x], at = key & 3;
  while (true) {
    int seen = *(volatile int *)&ids[at];
    if (seen == key) {
      atomicAdd(&counts[at], 1);
      break;
    } else if (seen == -1) {
      if (atomicCAS(&ids[at], -1, key) == -1) {
        atomicAdd(&counts[at], 1);
        break;
      }
    } else {
      at = (at + 1) & 3;
    }
  }
}
// ambit: launch count<<<1, 2>>>(keys[2], counts[4]);
// ambit: forall (counts[0] == 2)
// ambit: expect ptx : Always, norace because "both threads find or insert key 0 in the first slot, by atomics"
