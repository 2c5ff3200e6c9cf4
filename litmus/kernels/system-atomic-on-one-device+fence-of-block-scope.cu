__global__ void k(int *x, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *x = 1;
    __threadfence_block();
    atomicExch_system(flag, 1);
  } else {
    while (atomicAdd_system(flag, 0) == 0) {
    }
    __threadfence();
    *out = *x;
  }
}
// ambit: launch k<<<2, 1>>>(x[1], flag[1], out[1]);
// ambit: expect ptx : race because "the block scope of the fence does not include the other block"
// ambit: expect cuda-cpp : race because "the block scope of the fence does not include the other block"
