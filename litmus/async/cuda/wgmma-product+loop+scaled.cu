// A thread scales the accumulators between two multiplications without a wait.
// Source: PTX ISA, wgmma.wait_group. One thread represents a warpgroup.
#include <cstdint>

__device__ uint64_t descriptor(const void *tile) {
  uint64_t desc = (__cvta_generic_to_shared(tile) & 0x3FFFF) >> 4;
  desc |= static_cast<uint64_t>(8) << 16;
  desc |= static_cast<uint64_t>(16) << 32;
  return desc;
}

__device__ void multiply(float &d0, float &d1, float &d2, float &d3, uint64_t a, uint64_t b) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %6, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n"
      "}\n"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
      : "l"(a), "l"(b), "r"(0));
}

__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
__device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

__global__ void kernel(float *out) {
  __shared__ alignas(128) unsigned long long s[256];
  __shared__ alignas(128) unsigned long long m[32];
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  fence();
  for (int k = 0; k < 2; ++k) {
    multiply(d0, d1, d2, d3, descriptor(s), descriptor(m));
    commit();
    d0 *= 0.5f;
  }
  wait();
  out[0] = d0;
}

// ambit: launch kernel<<<1, 1>>>(out[1]);
// ambit: expect ptx : norace, undefined because "the thread scales the accumulators before the multiplication is complete"
