// Two branches set a pointer to shared memory. A read through the pointer shows which branch the thread took.
__global__ void k(const int *c, int *o) {
  __shared__ int s[4];
  s[0] = 1;
  s[1] = 2;
  int *p;
  if (*c == 7) {
    p = &s[0];
    atomicAdd(o, 1);
  } else {
    p = &s[1];
    atomicAdd(o, 2);
  }
  o[1] = *(volatile int *)p;
}
// ambit: launch k<<<1, 1>>>(c[1], o[2]);
// ambit: forall (o[1] == 2)
// ambit: expect ptx : Always, norace because "c is 0, so p is &s[1], and there is only one thread"
