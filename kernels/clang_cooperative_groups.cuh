// A replacement for cooperative_groups.h, for clang. This file must follow clang_runtime.cuh. The file supports blocks,
// grids of cooperative launches, tiles within a warp, and coalesced groups. Multi-warp tiles, clusters, asynchronous
// copies and reduce.h are not supported.
#ifndef AMBIT_CLANG_COOPERATIVE_GROUPS
#define AMBIT_CLANG_COOPERATIVE_GROUPS

#define AMBIT_MEMBER __device__ __forceinline__ __attribute__((nodebug))

namespace cooperative_groups {

class thread_block {
 public:
  static AMBIT_MEMBER void sync() { __syncthreads(); }
  static AMBIT_MEMBER unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static AMBIT_MEMBER unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static AMBIT_MEMBER unsigned size() { return num_threads(); }
  static AMBIT_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static AMBIT_MEMBER dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static AMBIT_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static AMBIT_MEMBER dim3 dim_threads() { return group_dim(); }
};

class grid_group {
 public:
  static AMBIT_MEMBER unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static AMBIT_MEMBER unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static AMBIT_MEMBER unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static AMBIT_MEMBER unsigned long long size() { return num_threads(); }
  static AMBIT_MEMBER unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static AMBIT_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static AMBIT_MEMBER dim3 dim_blocks() { return group_dim(); }
  static AMBIT_MEMBER bool is_valid() { return workspace() != 0; }
  /// The blocks count their arrivals in the workspace of the launch. The first block adds a larger number, so that the
  /// counter's top bit flips when all blocks have arrived.
  static AMBIT_MEMBER void sync() {
    const unsigned long long at = workspace();
    if (at == 0) __trap();  // not a cooperative launch
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      unsigned* counter = reinterpret_cast<unsigned*>(at) + 1;
      const unsigned others = static_cast<unsigned>(num_blocks()) - 1;
      __threadfence();
      const unsigned before = atomicAdd(counter, block_rank() == 0 ? 0x80000000u - others : 1u);
      unsigned now = before;
      while (((before ^ now) & 0x80000000u) == 0) {
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
      }
    }
    __syncthreads();
  }

 private:
  static AMBIT_MEMBER unsigned long long workspace() {
    unsigned high;
    unsigned low;
    asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
    return static_cast<unsigned long long>(high) << 32 | low;
  }
};

/// A group of lanes of a warp. A mask selects the lanes.
class coalesced_group {
 public:
  explicit AMBIT_MEMBER coalesced_group(unsigned mask) : mask_(mask) {}
  AMBIT_MEMBER void sync() const { __syncwarp(mask_); }
  AMBIT_MEMBER unsigned num_threads() const { return static_cast<unsigned>(__popc(mask_)); }
  AMBIT_MEMBER unsigned size() const { return num_threads(); }
  AMBIT_MEMBER unsigned thread_rank() const { return static_cast<unsigned>(__popc(mask_ & ((1u << lane()) - 1))); }
  AMBIT_MEMBER int any(int p) const { return __any_sync(mask_, p); }
  AMBIT_MEMBER int all(int p) const { return __all_sync(mask_, p); }

 protected:
  static AMBIT_MEMBER unsigned lane() {
    unsigned number;
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    return number;
  }
  unsigned mask_;
};

/// A tile of kSize consecutive lanes; kSize is a power of two.
template <unsigned kSize, typename Parent = void>
class thread_block_tile : public coalesced_group {
  static_assert(kSize >= 1 && kSize <= 32 && (kSize & (kSize - 1)) == 0, "a tile of 1, 2, 4, 8, 16 or 32 threads");
  static constexpr unsigned kLanes = kSize == 32 ? 0xffffffffu : (1u << kSize % 32) - 1;

 public:
  AMBIT_MEMBER thread_block_tile() : coalesced_group(kLanes << lane() / kSize * kSize) {}
  template <typename Other>
  AMBIT_MEMBER thread_block_tile(const thread_block_tile<kSize, Other>& /*same*/) : thread_block_tile() {}
  static AMBIT_MEMBER unsigned num_threads() { return kSize; }
  static AMBIT_MEMBER unsigned size() { return kSize; }
  static AMBIT_MEMBER unsigned thread_rank() { return lane() % kSize; }
  static AMBIT_MEMBER unsigned meta_group_rank() { return thread_block::thread_rank() / kSize; }
  static AMBIT_MEMBER unsigned meta_group_size() { return (thread_block::num_threads() + kSize - 1) / kSize; }
  AMBIT_MEMBER unsigned ballot(int p) const { return (__ballot_sync(mask_, p) & mask_) >> lane() / kSize * kSize; }
  template <typename T>
  AMBIT_MEMBER T shfl(T value, unsigned rank) const {
    return __shfl_sync(mask_, value, static_cast<int>(rank), kSize);
  }
  template <typename T>
  AMBIT_MEMBER T shfl_up(T value, unsigned distance) const {
    return __shfl_up_sync(mask_, value, static_cast<int>(distance), kSize);
  }
  template <typename T>
  AMBIT_MEMBER T shfl_down(T value, unsigned distance) const {
    return __shfl_down_sync(mask_, value, static_cast<int>(distance), kSize);
  }
  template <typename T>
  AMBIT_MEMBER T shfl_xor(T value, unsigned lanes) const {
    return __shfl_xor_sync(mask_, value, static_cast<int>(lanes), kSize);
  }
};

static AMBIT_MEMBER thread_block this_thread_block() { return {}; }
static AMBIT_MEMBER grid_group this_grid() { return {}; }
static AMBIT_MEMBER coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
template <unsigned kSize, typename Parent>
static AMBIT_MEMBER thread_block_tile<kSize, Parent> tiled_partition(const Parent& /*group*/) {
  return {};
}
template <typename Group>
static AMBIT_MEMBER void sync(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups

#undef AMBIT_MEMBER

#endif
