// The critical section is inside the loop of the spin lock, and a flag ends the loop. Lanes of one warp need this form.
__global__ void add(int *lock, int *x) {
  bool done = false;
  unsigned delay = 8;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      x[0] += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    } else {
      __nanosleep(delay);
      delay = delay < 256 ? delay * 2 : delay;
    }
  }
}
// ambit: launch add<<<2, 1>>>(lock[1], x[1]);
// ambit: forall (x[0] == 2)
// ambit: expect ptx : Always, norace because "iterations with a failed compare-and-swap repeat; the last iteration does the work"
