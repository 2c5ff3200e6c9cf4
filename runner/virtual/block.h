#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runner/virtual/stale_copies.h"
#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// One of the 16 barriers of a block.
struct Barrier {
  std::uint32_t arrived = 0;  ///< number of threads
  std::uint32_t count = 0;    ///< number of threads that the barrier waits for; 0 for all threads that have not exited
  std::uint32_t reduced = 0;  ///< bar.red: number of threads whose predicate is true
  bool is_used = false;       ///< a thread has arrived in this phase
};

/// Blocks whose threads can meet at barrier.cluster and access each other's shared memory.
struct Cluster {
  std::uint32_t first_block = 0;
  std::vector<Block*> blocks;  ///< by rank
  std::uint32_t arrived = 0;
  std::uint32_t phase = 0;
  std::uint32_t ended_blocks = 0;
};

/// An arrival by cp.async.mbarrier.arrive. The arrival takes effect after the earlier copies of the lane are complete.
struct DeferredArrival {
  std::uint32_t barrier = 0;  ///< offset of the mbarrier object
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t last_copy = 0;  ///< PendingCopy::number of the last copy that the arrival waits for
  std::uint32_t site = 0;       ///< number of the instruction
};

/// A resident block.
struct Block {
  std::uint32_t number = 0;  ///< linear number of the block in the grid
  Extent place;              ///< %ctaid
  std::uint32_t rank = 0;    ///< rank of the block in the cluster
  Cluster* cluster = nullptr;
  std::vector<std::unique_ptr<Warp>> warps;
  std::uint32_t alive = 0;  ///< number of threads
  std::array<Barrier, 16> barriers;
  std::uint32_t shared_bytes = 0;           ///< size of the block's shared memory
  std::vector<std::uint8_t> shared;         ///< shared memory, padded to a multiple of 16 bytes
  std::vector<std::uint8_t> shared_stored;  ///< for each byte, whether it has been written; empty if not checked
  std::vector<DeferredArrival> deferred;
  StaleCopies copies;         ///< MemoryMode::Gpu
  std::int64_t priority = 0;  ///< Pct
  std::uint32_t slot = 0;     ///< index among the resident blocks
  std::uint32_t ready = 0;    ///< number of warps in the scheduler's list
  bool has_ended = false;
};

}  // namespace ambit::virtual_gpu
