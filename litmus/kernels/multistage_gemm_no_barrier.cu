// A matrix product for sm_80 copies with cp.async into a ring of two stages, then uses ldmatrix and mma. No barrier
// follows the waits of the threads.
#include <cstdint>

constexpr int kStages = 2;
constexpr int kSteps = 3;

__device__ __forceinline__ uint32_t smem(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void copy16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(smem(to)), "l"(from) : "memory");
}

__device__ __forceinline__ void load(uint64_t *a, uint64_t *b, const uint64_t *A, const uint64_t *B, int lane) {
  if (lane < 16) copy16(&a[2 * lane], &A[2 * lane]);
  if (lane < 8) copy16(&b[2 * lane], &B[2 * lane]);
}

__global__ void product(const uint64_t *A, const uint64_t *B, float *C) {
  __shared__ alignas(16) uint64_t a[kStages][32];  // 16 x 8 halves
  __shared__ alignas(16) uint64_t b[kStages][16];  // 8 x 8 halves
  const int lane = threadIdx.x;
  float d[4] = {0, 0, 0, 0};
  load(a[0], b[0], A, B, lane);
  asm volatile("cp.async.commit_group;");
  for (int k = 0; k < kSteps; ++k) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    const int next = (k + 1) % kStages;
    if (k + 1 < kSteps) load(a[next], b[next], A + 32 * (k + 1), B + 16 * (k + 1), lane);
    asm volatile("cp.async.commit_group;");
    uint32_t ra[2], rb;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(ra[0]), "=r"(ra[1])
                 : "r"(smem(&a[k % kStages][2 * (lane % 16)])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(rb)
                 : "r"(smem(&b[k % kStages][2 * (lane % 8)])));
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(ra[0]), "r"(ra[1]), "r"(rb));
  }
  C[lane] = d[0] + d[1] + d[2] + d[3];
}
// ambit: launch product<<<1, 32>>>(A[96], B[48], C[32]);
// ambit: expect ptx : race because "a thread waits only for its own copies, but the lanes read rows that other threads copied"
