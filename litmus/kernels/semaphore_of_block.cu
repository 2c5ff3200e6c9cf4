// In CUTLASS's semaphore, one thread polls, and a barrier passes the result to all threads of the block.
__global__ void serial_sum(int *semaphore, int *sum) {
  int state = -1;
  while (__syncthreads_and(state != (int)blockIdx.x)) {
    if (threadIdx.x == 0) {
      asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(state) : "l"(semaphore) : "memory");
    }
  }
  sum[threadIdx.x] += 1 + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(semaphore), "r"(blockIdx.x + 1) : "memory");
  }
}
// ambit: launch serial_sum<<<2, 2>>>(semaphore[1], sum[2]);
// ambit: forall (sum[0] == 3 && sum[1] == 3)
// ambit: expect ptx : Always, norace because "a barrier of the block precedes the release, and another barrier follows the acquire"
