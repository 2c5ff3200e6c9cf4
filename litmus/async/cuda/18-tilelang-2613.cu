// Two warpgroups multiply with one operand; each waits only for its own product; one warpgroup refills the operand.
// Source: tilelang#2613. One thread represents a warpgroup.
#include <cstdint>

__device__ uint64_t descriptor(const void *tile) {
  uint64_t desc = (__cvta_generic_to_shared(tile) & 0x3FFFF) >> 4;
  desc |= static_cast<uint64_t>(8) << 16;   // The leading dimension, in units of 16 bytes.
  desc |= static_cast<uint64_t>(16) << 32;  // The stride.
  return desc;
}

__device__ void multiply(uint64_t a, uint64_t b) {
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
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

__global__ void share_operand() {
  __shared__ alignas(128) unsigned long long s[256];
  __shared__ alignas(128) unsigned long long m[32];
  multiply(descriptor(s), descriptor(m));
  commit();
  wait();
  if (threadIdx.x == 0) s[0] = 2;
}

// ambit: launch share_operand<<<1, 2>>>();
// ambit: expect ptx : race on b0:s[0] because "no thread waits for the other warpgroup"
