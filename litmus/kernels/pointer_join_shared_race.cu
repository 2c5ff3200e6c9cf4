// Two branches set a pointer to shared memory, and both threads write through this pointer.
__global__ void k(const int *c, int *o) {
  __shared__ int s[4];
  if (threadIdx.x == 0) {
    s[0] = 1;
    s[1] = 2;
  }
  __syncthreads();
  int *p;
  if (*c == 7) {
    p = &s[0];
    atomicAdd(o, 1);
  } else {
    p = &s[1];
    atomicAdd(o, 2);
  }
  *p += 1;
  __syncthreads();
  o[1 + threadIdx.x] = s[1];
}
// ambit: launch k<<<1, 2>>>(c[1], o[3]);
// ambit: forall (o[0] == 4)
// ambit: expect ptx : Always, race on b0:s[1] because "c is 0: both threads take the second branch and write s[1]"
