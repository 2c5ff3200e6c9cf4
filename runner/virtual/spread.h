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

/// Executes the blocks of one launch on several host threads. Each thread executes whole blocks, one after the other,
/// and writes into its own copies of memory. Two blocks conflict if one of them wrote bytes that the other read or
/// wrote. If no blocks conflict, the order of the blocks does not affect the result, and the copies are written to
/// memory. Otherwise, the copies are discarded, and the launch runs on one thread.
///
/// Most memory is only read and needs no marks. An allocation is "tracked" if an earlier launch has shown that the
/// kernel both reads and writes it. Only reads of tracked allocations are marked.

/// The addresses that the lanes of a warp access in one allocation.
struct TouchedLanes {
  AddressPattern pattern = AddressPattern::Scattered;  ///< Consecutive and Same apply to all 32 lanes
  const std::uint64_t* addresses = nullptr;
  std::uint32_t lanes = 0;
  unsigned bytes = 0;  ///< bytes of one lane: a power of two up to 32; the addresses are multiples of it
  bool is_write = false;
};

/// The reads and writes by one thread's blocks in one allocation, and the thread's copy of the allocation. Each granule
/// has one bit. A granule has the size of the kernel's narrowest store, at most 4 bytes.
class TouchedMemory {
 public:
  /// If `is_tracked` is true, reads are also marked. If `is_tracked` is false, no block reads the allocation, and only
  /// the written bytes of the copy are valid.
  TouchedMemory(Allocation& allocation, unsigned granule_shift, bool is_tracked);
  /// Returns false if this computer has too little memory.
  bool is_made() const { return copy_ != nullptr && lines_ != nullptr; }
  /// Returns the copy. The bytes of an access are valid after the access has been marked.
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

  /// Copies the written bytes to memory. Several threads may call this function at once, because no two threads write
  /// the same granule.
  void keep_data() const;
  /// Records the written bytes in Allocation::stored. Not thread safe.
  void keep_stored() const;

 private:
  static constexpr std::uint32_t kWholeLine = 0xffffffff;
  /// A line has 32 granules.
  struct Line {
    std::uint32_t block_reads;  ///< mask of the granules that the running block has read
    std::uint32_t block_writes;
    std::uint32_t reads;  ///< mask of the granules that earlier blocks of the thread have read
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
  std::vector<std::uint32_t> lines_of_block_;   ///< numbers of the lines that the running block has accessed
  std::vector<std::uint32_t> lines_of_thread_;  ///< numbers of the lines that any block of the thread has accessed
};

/// State shared by the threads of one launch.
class SpreadState {
 public:
  /// `threads` is at most the number of blocks in take_first(). `allocations` is the number of allocations. `tracked`
  /// contains the numbers of the tracked allocations; null means that all are tracked.
  SpreadState(std::uint64_t blocks, unsigned threads, std::uint32_t allocations,
              const std::set<std::uint32_t>* tracked);

  /// Returns the first blocks of a thread, [first, end). The first blocks of a thread do not depend on the time when
  /// the thread starts.
  void take_first(unsigned thread, std::uint64_t& first, std::uint64_t& end) const;
  /// Takes the next blocks for any thread. Returns false if no blocks are left.
  bool take(std::uint64_t& first, std::uint64_t& end);
  /// Makes all threads stop soon. After a failure, the launch runs again on one thread.
  void fail() { has_failed_.store(true, std::memory_order_relaxed); }
  const std::atomic<bool>& has_failed() const { return has_failed_; }

  bool is_tracked(std::uint32_t allocation) const { return tracked_ == nullptr || tracked_->contains(allocation); }
  /// Marks an untracked allocation as read or written. If a thread has already set the other mark, calls fail() and
  /// returns false, because the allocation must be tracked.
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
  std::vector<std::atomic<std::uint8_t>> uses_;  ///< for each allocation, the bits kRead and kWritten
  std::mutex mutex_;
  std::set<std::uint32_t> untracked_;
};

/// The accesses of one host thread during a launch.
class Footprint {
 public:
  Footprint(SpreadState& state, unsigned thread, unsigned granule_shift)
      : state_(state), thread_(thread), shift_(granule_shift) {}

  /// Takes the thread's next blocks: [first, end). Returns false if no blocks are left.
  bool take(std::uint64_t& first, std::uint64_t& end);
  /// Prepares the accesses of an instruction to an allocation. Sets `touched` to the record in which the accesses must
  /// be marked, or to null if the accesses need no marks. Returns false if the launch has failed.
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
  std::unordered_map<std::uint32_t, TouchedMemory> touched_;  ///< accessed memory; the key is the allocation's number
};

}  // namespace ambit::virtual_gpu
