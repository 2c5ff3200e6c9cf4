__global__ void k(int *data, int *current, int *out) {
  if (blockIdx.x == 0) {
    data[1] = 9;
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(current), "r"(1) : "memory");
  } else {
    int i;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(i) : "l"(current) : "memory");
    if (i == 1) *out = data[1];
  }
}
// ambit: launch k<<<2, 1>>>(data[2], current[1], out[1]);
// ambit: expect ptx : race because "a thread may see the new index but the old element"
