__global__ void k(int *x, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *x = 1;
    __threadfence();
    atomicExch_system(flag, 1);
  } else {
    while (atomicAdd_system(flag, 0) == 0) {
    }
    __threadfence();
    *out = *x;
  }
}
// ambit: launch k<<<2, 1>>>(x[1], flag[1], out[1]);
// ambit: expect ptx : norace because "both blocks are on one device, so fences of device scope are enough"
// ambit: expect cuda-cpp : norace because "both blocks are on one device, so fences of device scope are enough"
