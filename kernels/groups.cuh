// ---- for tests with wgmma: a test's thread is a warp or four warps, and the first lane is the leader ----

/// Synchronises the warps of the group. Each group of four warps has its own barrier. The group barriers have lower
/// numbers than the harness's barrier.
template <unsigned kWarps>
__device__ __forceinline__ void meet_group() {
  __syncwarp();
  if (kWarps > 1) {
    asm volatile("barrier.sync %0, %1;" ::"r"(14U - threadIdx.x / (32U * kWarps)), "n"(32 * kWarps) : "memory");
  }
}

/// Synchronises the warps of the group and returns the leader's argument; the other lanes pass false. The shuffle shows
/// the assembler that all lanes get the same value. Without the shuffle, the assembler would serialise matrix products
/// after a branch.
template <unsigned kWarps>
__device__ __forceinline__ bool group_goes(bool leader_goes) {
  unsigned goes = leader_goes ? 1U : 0U;
  __syncwarp();
  if (kWarps > 1) {
    asm volatile(
        "{\n.reg .pred ambit_p, ambit_q;\nsetp.ne.u32 ambit_p, %0, 0;\n"
        "barrier.red.or.pred ambit_q, %1, %2, ambit_p;\nselp.b32 %0, 1, 0, ambit_q;\n}"
        : "+r"(goes)
        : "r"(14U - threadIdx.x / (32U * kWarps)), "n"(32 * kWarps)
        : "memory");
  }
  return __shfl_sync(0xffffffffU, goes, 0) != 0;
}

/// Returns the descriptor of a matrix operand in shared memory (PTX ISA 9.7.15.5.1). The matrix consists of blocks of 8
/// rows of 16 bytes. The first two blocks contain the 32 bytes of 8 rows; the next two blocks contain the next 8 rows.
__device__ __forceinline__ unsigned long long factor_descriptor(unsigned address) {
  constexpr unsigned long long kBlock = 128;
  return ((address & 0x3ffffU) >> 4) | (kBlock >> 4) << 16 | (2 * kBlock >> 4) << 32;
}

/// Reads a product that the test does not use, so that the product stays in its registers until it is complete.
template <class T, unsigned kLength>
__device__ __forceinline__ void keep_product(const Instance& at, const T (&product)[kLength]) {
  T sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kLength; ++i) sum += product[i];
  at.keep(static_cast<unsigned long long>(static_cast<long long>(sum)));
}
