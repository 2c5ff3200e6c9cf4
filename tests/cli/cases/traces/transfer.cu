__global__ void transfer(int* balance, int* lock, int* log) {
  if (blockIdx.x == 0) *balance = 100;
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  log[blockIdx.x] = 1;
  __threadfence();
  atomicExch(lock, 0);
  if (blockIdx.x == 1) *balance = 200;
}
