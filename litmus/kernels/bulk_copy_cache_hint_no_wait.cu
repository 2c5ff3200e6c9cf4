// Like bulk_copy_cache_hint.cu, but without the wait.
#include <cstdint>
__global__ void load(const int4 *in, int *out) {
  __shared__ __align__(16) int4 tile[1];
  __shared__ uint64_t full;
  const unsigned barrier = __cvta_generic_to_shared(&full);
  const unsigned to = __cvta_generic_to_shared(tile);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier));
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(barrier));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], 16, [%2], %3;" ::"r"(to),
               "l"(in), "r"(barrier), "l"(0x12f0000000000000ull));
  out[0] = tile[0].x;
}
// ambit: launch load<<<1, 1>>>(in[1], out[1]);
// ambit: expect ptx : race because "the read may come before the copy has written"
