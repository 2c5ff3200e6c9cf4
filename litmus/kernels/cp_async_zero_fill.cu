// At the edge of a tile, a thread beyond the edge fills its element with 0 and does not read its source.
#include <cstdint>
__global__ void edge(int4 *in, int *out, int valid) {
  __shared__ int4 s[2];
  const int t = threadIdx.x;
  if (t == 2) {
    in[1].w = 7;
    return;
  }
  const int bytes = t < valid ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((uint32_t)__cvta_generic_to_shared(&s[t])),
               "l"(&in[t]), "r"(bytes)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = s[t].w;
}
// ambit: launch edge<<<1, 3>>>(in[2], out[2], 1);
// ambit: exists (out[1] == 0)
// ambit: expect ptx : Always, norace because "a copy with a source size of 0 does not read its source"
