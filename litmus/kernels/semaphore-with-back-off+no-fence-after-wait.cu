__global__ void k(int *semaphore, int *x, int *out) {
  if (blockIdx.x == 0) {
    *x = 1;
    __threadfence();
    atomicAdd(semaphore, 1);
  } else {
    unsigned ns = 8;
    while (atomicCAS(semaphore, 1, 0) != 1) {
      __nanosleep(ns);
      if (ns < 256) ns *= 2;
    }
    *out = *x;
  }
}
// ambit: launch k<<<2, 1>>>(semaphore[1], x[1], out[1]);
// ambit: expect ptx : race because "the waiting thread may read the data before the semaphore"
// ambit: expect cuda-cpp : race because "the waiting thread may read the data before the semaphore"
