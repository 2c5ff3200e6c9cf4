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

/// Blocks of one launch on several threads. Each thread executes whole blocks, one after the other, and stores into its
/// own copies. If in the end no block wrote what another read or wrote, the result is as if the blocks had run one
/// after the other in any order, or interleaved: the copies are written to memory. Otherwise they are discarded, and
/// the launch runs on one thread.
///
/// Memory that is only read, the usual case, needs no marks: an allocation is marked for its reads only once a launch
/// has shown that the kernel both reads and writes it ("tracked").

/// Where the lanes of a warp access one allocation.
struct TouchedLanes {
  AddressPattern pattern = AddressPattern::Scattered;  ///< Consecutive and Same: for all 32 lanes
  const std::uint64_t* addresses = nullptr;
  std::uint32_t lanes = 0;
  unsigned bytes = 0;  ///< of a lane, a power of two up to 32, to which the addresses are aligned
  bool is_write = false;
};

/// The reads and writes by one thread's blocks in one allocation, one bit for each granule, and the thread's copy of
/// the allocation. A granule is the narrowest store of the kernel, at most 4 bytes.
class TouchedMemory {
 public:
  /// `is_tracked`: reads are marked, too. Else nobody reads the allocation, and the copy holds only stored bytes.
  TouchedMemory(Allocation& allocation, unsigned granule_shift, bool is_tracked);
  /// Returns false if the computer's memory does not suffice.
  bool is_made() const { return copy_ != nullptr && lines_ != nullptr; }
  /// Returns the copy. It holds the bytes of an access after the access was marked.
  std::uint8_t* data() { return copy_.get(); }
  std::uint32_t allocation() const { return allocation_.number; }

  void mark(const TouchedLanes& what);
  /// Returns whether this thread wrote all the bytes in this launch.
  bool has_written(std::uint64_t offset, unsigned bytes) const;
  /// Ends a block. Returns false if it wrote what an earlier block of the thread accessed, or read what one wrote.
  bool end_block();
  /// Returns whether a block of one thread wrote what a block of the other read or wrote.
  bool conflicts_with(const TouchedMemory& other) const;

  /// Copies the written bytes to memory. Several threads may do this at once: no two write the same granule.
  void keep_data() const;
  /// Records the written bytes as stored. Not thread safe.
  void keep_stored() const;

 private:
  static constexpr std::uint32_t kWholeLine = 0xffffffff;
  /// 32 granules.
  struct Line {
    std::uint32_t block_reads;  ///< by the running block
    std::uint32_t block_writes;
    std::uint32_t reads;  ///< by the thread's earlier blocks
    std::uint32_t writes;
  };
  struct Free {
    void operator()(void* place) const { std::free(place); }
  };

  void mark_run(std::uint64_t first, std::uint64_t count, bool is_write);
  void mark_line(std::uint64_t index, std::uint32_t granules, bool is_write);
  void begin_line(std::uint64_t index, std::uint32_t granules, bool is_write);
  /// Calls `piece(offset, bytes)` for each range of written bytes.
  template <class Piece>
  void for_each_written(Piece piece) const;

  Allocation& allocation_;
  unsigned shift_;
  bool is_tracked_;
  std::unique_ptr<std::uint8_t[], Free> copy_;
  std::unique_ptr<Line[], Free> lines_;
  std::vector<std::uint32_t> lines_of_block_;   ///< touched by the running block
  std::vector<std::uint32_t> lines_of_thread_;  ///< touched by any block
};

/// State shared by the threads of one launch.
class SpreadState {
 public:
  /// `threads`: at most the number of blocks. `allocations`: their number; `tracked`: numbers of those whose reads are
  /// marked; null: all.
  SpreadState(std::uint64_t blocks, unsigned threads, std::uint32_t allocations,
              const std::set<std::uint32_t>* tracked);

  /// Returns the first blocks of a thread, [first, end), independently of when it begins.
  void take_first(unsigned thread, std::uint64_t& first, std::uint64_t& end) const;
  /// Takes the next blocks for any thread. Returns false if none are left.
  bool take(std::uint64_t& first, std::uint64_t& end);
  /// Makes the launch run on one thread: all other threads stop soon.
  void fail() { has_failed_.store(true, std::memory_order_relaxed); }
  const std::atomic<bool>& has_failed() const { return has_failed_; }

  bool is_tracked(std::uint32_t allocation) const { return tracked_ == nullptr || tracked_->contains(allocation); }
  /// Marks an untracked allocation as read or written. If a thread has already done the other, fails the launch and
  /// returns false: the allocation must be tracked.
  bool use(std::uint32_t allocation, bool writes);
  /// Returns the allocations that made `use` fail.
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

/// The accesses of one thread in a launch.
class Footprint {
 public:
  Footprint(SpreadState& state, unsigned thread, unsigned granule_shift)
      : state_(state), thread_(thread), shift_(granule_shift) {}

  /// Takes the thread's next blocks: [first, end). Returns false if none are left.
  bool take(std::uint64_t& first, std::uint64_t& end);
  /// Prepares an instruction's accesses to an allocation. `touched` becomes where they are marked; null: nowhere.
  /// Returns false if the launch has failed.
  bool enter(Allocation& allocation, bool writes, TouchedMemory*& touched);
  /// Ends a block. Returns false if it accessed what another block of the thread wrote, or wrote what one accessed.
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
