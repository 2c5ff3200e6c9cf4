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
/// own copies. Two blocks conflict if one of them wrote bytes that the other read or wrote. Without conflicts, the
/// result does not depend on the order of the blocks, and the copies are written to memory. Otherwise, the copies are
/// discarded, and the launch runs on one thread.
///
/// Most memory is only read and needs no marks. Reads of an allocation are marked only after a launch has shown that
/// the kernel both reads and writes the allocation ("tracked").

/// The addresses that the lanes of a warp access in one allocation.
struct TouchedLanes {
  AddressPattern pattern = AddressPattern::Scattered;  ///< Consecutive and Same apply to all 32 lanes
  const std::uint64_t* addresses = nullptr;
  std::uint32_t lanes = 0;
  unsigned bytes = 0;  ///< bytes of one lane: a power of two up to 32, to which the addresses are aligned
  bool is_write = false;
};

/// The reads and writes by one thread's blocks in one allocation, and the thread's copy of the allocation. Each granule
/// has one bit. A granule has the size of the kernel's narrowest store, at most 4 bytes.
class TouchedMemory {
 public:
  /// `is_tracked`: reads are marked, too. Otherwise no block reads the allocation, and the copy holds only stored
  /// bytes.
  TouchedMemory(Allocation& allocation, unsigned granule_shift, bool is_tracked);
  /// Returns false if this computer has too little memory.
  bool is_made() const { return copy_ != nullptr && lines_ != nullptr; }
  /// Returns the copy. It holds the bytes of an access after the access was marked.
  std::uint8_t* data() { return copy_.get(); }
  std::uint32_t allocation() const { return allocation_.number; }

  void mark(const TouchedLanes& what);
  /// Returns whether this thread wrote all the bytes in this launch.
  bool has_written(std::uint64_t offset, unsigned bytes) const;
  /// Ends a block. Returns false if the block wrote bytes that an earlier block of the thread accessed, or read bytes
  /// that an earlier block wrote.
  bool end_block();
  /// Returns whether a block of one thread wrote bytes that a block of the other thread read or wrote.
  bool conflicts_with(const TouchedMemory& other) const;

  /// Copies the written bytes to memory. Several threads may call this at once, because no two threads write the same
  /// granule.
  void keep_data() const;
  /// Records the written bytes as stored. Not thread safe.
  void keep_stored() const;

 private:
  static constexpr std::uint32_t kWholeLine = 0xffffffff;
  /// A line has 32 granules.
  struct Line {
    std::uint32_t block_reads;  ///< granules that the running block read
    std::uint32_t block_writes;
    std::uint32_t reads;  ///< granules that the thread's earlier blocks read
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
  std::vector<std::uint32_t> lines_of_block_;   ///< lines that the running block touched
  std::vector<std::uint32_t> lines_of_thread_;  ///< lines that any block of the thread touched
};

/// State shared by the threads of one launch.
class SpreadState {
 public:
  /// `threads` is at most the number of blocks. `allocations` is the number of allocations. `tracked` contains the
  /// numbers of the allocations whose reads are marked; null for all.
  SpreadState(std::uint64_t blocks, unsigned threads, std::uint32_t allocations,
              const std::set<std::uint32_t>* tracked);

  /// Returns the first blocks of a thread, [first, end). They do not depend on the time when the thread begins.
  void take_first(unsigned thread, std::uint64_t& first, std::uint64_t& end) const;
  /// Takes the next blocks for any thread. Returns false if no blocks are left.
  bool take(std::uint64_t& first, std::uint64_t& end);
  /// Makes the launch run on one thread: all other threads soon stop.
  void fail() { has_failed_.store(true, std::memory_order_relaxed); }
  const std::atomic<bool>& has_failed() const { return has_failed_; }

  bool is_tracked(std::uint32_t allocation) const { return tracked_ == nullptr || tracked_->contains(allocation); }
  /// Marks an untracked allocation as read or written. If a thread has already marked the opposite, fails the launch
  /// and returns false: the allocation must be tracked.
  bool use(std::uint32_t allocation, bool writes);
  /// Returns the allocations for which `use` failed.
  const std::set<std::uint32_t>& untracked() const { return untracked_; }

 private:
  std::uint64_t blocks_;
  unsigned threads_;
  std::uint64_t first_share_;  ///< number of blocks
  std::atomic<std::uint64_t> next_;
  std::atomic<bool> has_failed_{false};
  const std::set<std::uint32_t>* tracked_;
  std::vector<std::atomic<std::uint8_t>> uses_;  ///< for each allocation, kRead and kWritten bits
  std::mutex mutex_;
  std::set<std::uint32_t> untracked_;
};

/// The accesses of one thread during a launch.
class Footprint {
 public:
  Footprint(SpreadState& state, unsigned thread, unsigned granule_shift)
      : state_(state), thread_(thread), shift_(granule_shift) {}

  /// Takes the thread's next blocks: [first, end). Returns false if no blocks are left.
  bool take(std::uint64_t& first, std::uint64_t& end);
  /// Prepares an instruction's accesses to an allocation. Sets `touched` to the record in which they are marked, or to
  /// null if they need no marks. Returns false if the launch has failed.
  bool enter(Allocation& allocation, bool writes, TouchedMemory*& touched);
  /// Ends a block. Returns false if the block accessed bytes that another block of the thread wrote, or wrote bytes
  /// that another block accessed.
  bool end_block();
  bool conflicts_with(const Footprint& other) const;
  void keep_data() const;
  void keep_stored() const;

 private:
  SpreadState& state_;
  unsigned thread_;
  unsigned shift_;
  bool has_begun_ = false;
  std::unordered_map<std::uint32_t, TouchedMemory> touched_;  ///< touched memory, by number of the allocation
};

}  // namespace ambit::virtual_gpu
