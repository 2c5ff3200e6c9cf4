// Block 1 waits for a semaphore that no block releases.
__global__ void k(int *semaphore, int *x) {
  int state = -1;
  while (__syncthreads_and(state != (int)blockIdx.x)) {
    if (threadIdx.x == 0) state = *(volatile int *)semaphore;
  }
  x[threadIdx.x] += 1;
}
// ambit: launch k<<<2, 2>>>(semaphore[1], x[2]);
// ambit: expect ptx : executions 0 because "block 1 never leaves its loop"
