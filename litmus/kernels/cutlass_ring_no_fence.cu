// A ring of two stages, as in CUTLASS: the elected lane of a producer warp fills the stages by bulk copies;
// a consumer warp reads each tile and releases the stage. The consumer executes no proxy fence after its
// reads.
#include <cstdint>

constexpr int kStages = 2;
constexpr int kTiles = 3;
constexpr int kTile = 8;  // the number of ints in a tile: one for each consumer lane

__device__ __forceinline__ uint32_t smem(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ bool elect_one() {
  uint32_t is_elected;
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "elect.sync _|P1, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, P1;\n"
      "}\n"
      : "=r"(is_elected));
  return is_elected != 0;
}

__device__ __forceinline__ void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count));
}

__device__ __forceinline__ void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(bar)) : "memory");
}

__device__ __forceinline__ void wait(uint64_t *bar, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(smem(bar)),
      "r"(parity)
      : "memory");
}

__device__ __forceinline__ void load(int *to, const int *from, uint32_t bytes, uint64_t *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(smem(to)),
               "l"(from), "r"(bytes), "r"(smem(bar))
               : "memory");
}

__global__ void sum_tiles(const int *in, int *out) {
  __shared__ alignas(128) int tile[kStages][kTile];
  __shared__ alignas(8) uint64_t full[kStages];
  __shared__ alignas(8) uint64_t empty[kStages];
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      init(&full[s], 1);
      init(&empty[s], 1);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (elect_one()) {
      for (int i = 0; i < kTiles; ++i) {
        const int s = i % kStages;
        wait(&empty[s], (i / kStages & 1) ^ 1);
        expect(&full[s], kTile * sizeof(int));
        load(tile[s], in + i * kTile, kTile * sizeof(int), &full[s]);
      }
    }
  } else {
    int sum = 0;
    for (int i = 0; i < kTiles; ++i) {
      const int s = i % kStages;
      wait(&full[s], i / kStages & 1);
      sum += tile[s][threadIdx.x - 32];
      __syncwarp();
      if (threadIdx.x == 32) arrive(&empty[s]);
    }
    out[threadIdx.x - 32] = sum;
  }
}
// ambit: launch sum_tiles<<<1, 40>>>(in[24], out[8]);
// ambit: expect ptx : race because "a bulk copy writes through the async proxy, so a proxy fence must follow an earlier read"
