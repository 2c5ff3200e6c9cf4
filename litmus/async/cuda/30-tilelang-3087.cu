// A consumer waits for the wrong parity, which counts as complete on a new barrier. Source: tilelang#3087
#include <cstdint>

__device__ uint32_t shared_address(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void wait(uint32_t barrier, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra WAIT;\n"
      "}\n" ::"r"(barrier), "r"(parity) : "memory");
}

__global__ void load(const uint64_t *g, uint64_t *out) {
  __shared__ alignas(16) uint64_t s[2];
  __shared__ uint64_t bar;
  const uint32_t full = shared_address(&bar);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full));
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(full) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(s)),
                 "l"(g), "r"(16), "r"(full)
                 : "memory");
  } else {
    wait(full, 1);
    out[0] = s[0];
  }
}

// ambit: launch load<<<1, 2>>>(g[2], out[1]);
// ambit: expect ptx : race on b0:s[0] because "the wait for parity 1 returns at once"
