// Like semaphore_of_block.cu, but the poll does not acquire.
__global__ void serial_sum(int *semaphore, int *sum) {
  int state = -1;
  while (__syncthreads_and(state != (int)blockIdx.x)) {
    if (threadIdx.x == 0) state = *(volatile int *)semaphore;
  }
  sum[threadIdx.x] += 1 + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(semaphore), "r"(blockIdx.x + 1) : "memory");
  }
}
// ambit: launch serial_sum<<<2, 2>>>(semaphore[1], sum[2]);
// ambit: forall (sum[0] == 3 && sum[1] == 3)
// ambit: expect ptx : Sometimes, race because "no fence or acquire follows the read of the semaphore"
