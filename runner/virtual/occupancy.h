#pragma once

#include <algorithm>
#include <cstdint>

namespace ambit::virtual_gpu {

/// The limits of a multiprocessor of compute capability 9.0 (CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability"). Registers are ignored, because PTX does not specify how many registers a kernel needs.
inline constexpr std::uint32_t kThreadsOfProcessor = 2048;
inline constexpr std::uint32_t kBlocksOfProcessor = 32;
inline constexpr std::uint32_t kSharedOfProcessor = 228U << 10U;
/// Shared memory that the system reserves in each block.
inline constexpr std::uint32_t kSharedOfSystem = 1U << 10U;
inline constexpr std::uint32_t kMostSharedOfBlock = kSharedOfProcessor - kSharedOfSystem;

/// Returns the number of blocks that one multiprocessor can hold at once. Each block has `threads` threads and
/// `shared_bytes` bytes of static and dynamic shared memory.
constexpr std::uint32_t blocks_of_processor(std::uint32_t threads, std::uint64_t shared_bytes) {
  if (threads == 0) return 0;
  const std::uint32_t rounded = (threads + 31) / 32 * 32;
  const std::uint32_t by_threads = std::min(kBlocksOfProcessor, kThreadsOfProcessor / rounded);
  const std::uint64_t by_memory = kSharedOfProcessor / (shared_bytes + kSharedOfSystem);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(by_threads, by_memory));
}

/// Returns the number of blocks that a device can hold at once if its multiprocessors together hold `device_threads`
/// threads.
constexpr std::uint64_t blocks_of_device(std::uint32_t device_threads, std::uint32_t threads,
                                         std::uint64_t shared_bytes) {
  const std::uint64_t processors = std::max(device_threads / kThreadsOfProcessor, 1U);
  const std::uint64_t by_threads = device_threads / std::max(threads, 1U);
  return std::min(by_threads, processors * blocks_of_processor(threads, shared_bytes));
}

}  // namespace ambit::virtual_gpu
