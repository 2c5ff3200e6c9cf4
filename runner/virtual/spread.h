#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "runner/virtual/address_scan.h"
#include "runner/virtual/memory.h"

namespace ambit::virtual_gpu {

/// Blocks of one launch on several threads. Each thread executes whole blocks, one after the other, and stores into
/// copies of its own. When all have ended, and no block wrote what another read or wrote, the blocks could as well have
/// run one after the other in any order, or in turns: the copies become memory. Otherwise they are thrown away, and the
/// launch runs on one thread.
///
/// What is read needs no marks where nobody writes, which is the rule: an allocation is marked for its reads only once
/// a launch has shown that the kernel both reads and writes it ("tracked").

/// Where the lanes of a warp access one allocation.
struct TouchedLanes {
  AddressPattern pattern = AddressPattern::Scattered;  ///< Consecutive and Same: of all 32 lanes
  const std::uint64_t* addresses = nullptr;
  std::uint32_t lanes = 0;
  unsigned bytes = 0;  ///< of a lane, a power of two up to 32, to which the addresses are aligned
  bool is_write = false;
};

/// What the blocks of one thread have read and written in one allocation, a bit for each granule, and the thread's copy
/// of it. A granule is the narrowest store of the kernel, at most 4 bytes.
class TouchedMemory {
 public:
  /// `is_tracked`: reads are marked, too. Else nobody reads the allocation, and the copy holds only what was stored.
  TouchedMemory(Allocation& allocation, unsigned granule_shift, bool is_tracked);
  /// False where the computer's memory does not suffice.
  bool is_made() const { return copy_ != nullptr && lines_ != nullptr; }
  /// The copy. It holds the bytes of an access once that was marked.
  std::uint8_t* data() { return copy_.get(); }
  std::uint32_t allocation() const { return allocation_.number; }

  void mark(const TouchedLanes& what);
  /// All the bytes were written by this thread in this launch.
  bool has_written(std::uint64_t offset, unsigned bytes) const;
  /// A block has ended. False when it wrote what an earlier block of the thread touched, or read what one wrote.
  bool end_block();
  /// Some block of one thread wrote what one of the other read or wrote.
  bool conflicts_with(const TouchedMemory& other) const;

  /// Brings what was written from the copy into memory. Those of several threads may run at once: no two write the same
  /// granule.
  void keep_data() const;
  /// Records the written bytes as stored. One thread at a time.
  void keep_stored() const;

 private:
  static constexpr std::uint32_t kWholeLine = 0xffffffff;
  /// 32 granules.
  struct Line {
    std::uint32_t block_reads;  ///< by the block that runs
    std::uint32_t block_writes;
    std::uint32_t reads;  ///< by the thread's blocks before it
    std::uint32_t writes;
  };
  struct Free {
    void operator()(void* place) const { std::free(place); }
  };

  void mark_run(std::uint64_t first, std::uint64_t count, bool is_write);
  void mark_line(std::uint64_t index, std::uint32_t granules, bool is_write);
  void begin_line(std::uint64_t index, std::uint32_t granules, bool is_write);
  /// Calls `piece(offset, bytes)` for each stretch of written bytes.
  template <class Piece>
  void for_each_written(Piece piece) const;

  Allocation& allocation_;
  unsigned shift_;
  bool is_tracked_;
  std::unique_ptr<std::uint8_t[], Free> copy_;
  std::unique_ptr<Line[], Free> lines_;
  std::vector<std::uint32_t> lines_of_block_;   ///< that the running block has touched
  std::vector<std::uint32_t> lines_of_thread_;  ///< that any block has touched
};

/// What the threads of one launch share.
class SpreadState {
 public:
  /// `threads`: no more than blocks. `allocations`: how many there are; `tracked`: numbers of those whose reads are
  /// marked; null: of all.
  SpreadState(std::uint64_t blocks, unsigned threads, std::uint32_t allocations,
              const std::set<std::uint32_t>* tracked);

  /// The first blocks of a thread, whenever it begins: [first, end).
  void take_first(unsigned thread, std::uint64_t& first, std::uint64_t& end) const;
  /// The next blocks for any thread. False when there are none left.
  bool take(std::uint64_t& first, std::uint64_t& end);
  /// The launch must run on one thread: all others stop soon.
  void fail() { has_failed_.store(true, std::memory_order_relaxed); }
  const std::atomic<bool>& has_failed() const { return has_failed_; }

  bool is_tracked(std::uint32_t allocation) const { return tracked_ == nullptr || tracked_->contains(allocation); }
  /// An allocation that is not tracked is read, or written. False, and the launch has failed, when some thread has done
  /// the other: it must be tracked.
  bool use(std::uint32_t allocation, bool writes);
  /// Allocations that made `use` fail.
  const std::set<std::uint32_t>& untracked() const { return untracked_; }

 private:
  std::uint64_t blocks_;
  unsigned threads_;
  std::uint64_t first_share_;  ///< blocks
  std::atomic<std::uint64_t> next_;
  std::atomic<bool> has_failed_{false};
  const std::set<std::uint32_t>* tracked_;
  std::vector<std::atomic<std::uint8_t>> uses_;  ///< by allocation: kRead, kWritten
  std::mutex mutex_;
  std::set<std::uint32_t> untracked_;
};

/// What one thread touches in a launch.
class Footprint {
 public:
  Footprint(SpreadState& state, unsigned thread, unsigned granule_shift)
      : state_(state), thread_(thread), shift_(granule_shift) {}

  /// The thread's next blocks: [first, end). False when there are none left.
  bool take(std::uint64_t& first, std::uint64_t& end);
  /// An instruction comes to an allocation. `touched` becomes where its accesses are marked; null: nowhere. False when
  /// the launch has failed.
  bool enter(Allocation& allocation, bool writes, TouchedMemory*& touched);
  /// False when the block touched what another block of the thread wrote, or wrote what one touched.
  bool end_block();
  bool conflicts_with(const Footprint& other) const;
  void keep_data() const;
  void keep_stored() const;

 private:
  SpreadState& state_;
  unsigned thread_;
  unsigned shift_;
  bool has_begun_ = false;
  std::unordered_map<std::uint32_t, TouchedMemory> touched_;  ///< by number of the allocation
};

}  // namespace ambit::virtual_gpu
