// ptxas accepts the modifiers of loads, stores, atomics and fences in any order.
__global__ void handover(int *x, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *x = 1;
    asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
  } else {
    int seen;
    do {
      asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    } while (seen == 0);
    int old;
    asm volatile("atom.global.add.relaxed.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(flag), "r"(1) : "memory");
    asm volatile("fence.gpu.acq_rel;" ::: "memory");
    *out = *x + old;
  }
}
// ambit: launch handover<<<2, 1>>>(x[1], flag[1], out[1]);
// ambit: forall (out[0] == 2 && flag[0] == 2)
// ambit: expect ptx : Always, norace because "release and acquire synchronise, regardless of the order of the modifiers"
