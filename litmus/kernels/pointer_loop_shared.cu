// A loop moves a pointer to shared memory by amounts that depend on values in memory.
__global__ void k(const int *step, int *o) {
  __shared__ int s[8];
  for (int i = 0; i < 8; ++i) s[i] = i;
  int *p = s;
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    p += step[i] == 0 ? 2 : 1;
    sum += *(volatile int *)p;
  }
  o[0] = sum;
}
// ambit: launch k<<<1, 1>>>(step[3], o[1]);
// ambit: forall (o[0] == 12)
// ambit: expect ptx : Always, norace because "the sum is s[2] + s[4] + s[6]"
