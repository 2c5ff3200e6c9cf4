// A function tries to take the lock, and a break ends the loop. No code reads the counter of tries.
__device__ bool try_lock(int *lock) { return atomicCAS(lock, 0, 1) == 0; }

__global__ void add(int *lock, int *x) {
  int tries = 0;
  for (;;) {
    ++tries;
    if (try_lock(lock)) break;
  }
  __threadfence();
  x[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
// ambit: launch add<<<2, 1>>>(lock[1], x[1]);
// ambit: forall (x[0] == 2)
// ambit: expect ptx : Always, norace because "failed tries change nothing"
