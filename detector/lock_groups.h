#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "detector/flat_map.h"

namespace ambit::detector {

/// Which lock operations of one lock exclude each other, by their scopes (definitions 4.4, choice 1).
enum class Overlap : std::uint8_t {
  Mutual,  ///< each scope contains the other's thread
  Either,  ///< one of them does: as printed in the GWCP paper
  Exact,   ///< the dynamic scopes are equal; ScoRD hashes the scope into the lock's id
  All,     ///< scopes are ignored
};

/// Assigns the releases of locks to release queues so that an acquire finds exactly those that overlap with it. A queue
/// has the releases of one lock by one group of threads.
///
/// Let L be the narrowest level at which two threads are in one group. Then Mutual overlap of scopes s and s' means
/// L <= s and L <= s'. So a release of scope s goes into the queues of its thread's groups at every level up to s, and
/// an acquire of scope s' reads the queues of its thread's groups at every level up to s'.
/// Either means L <= s or L <= s'. Then the acquire reads the releases of all blocks within s', and its own groups at
/// the wider levels.
class LockGroups {
 public:
  LockGroups(const TraceTables& tables, Overlap overlap) : tables_(tables), overlap_(overlap) {}

  /// Returns the queues (numbers, dense over all locks) into which a release of that scope goes.
  const std::vector<std::uint32_t>& queues_of_release(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Returns the queues that an acquire of that scope reads.
  const std::vector<std::uint32_t>& queues_of_acquire(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Returns whether queues for that scope exist, i.e. whether an earlier call has created them.
  bool has_queues(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Returns whether 32 consecutive locks, one for each thread of a warp, have consecutive queues. Creates the queues.
  bool are_queues_moved(std::uint32_t lock, std::uint32_t thread, Scope scope);
  std::size_t queues() const { return count_; }
  /// Mutual: returns all threads that may ever read the queue; null: not all are known yet.
  const std::vector<std::uint32_t>* readers(std::uint32_t queue);

 private:
  static constexpr std::size_t kLevels = 4;
  struct BlockQueue {
    std::uint32_t queue;
    ThreadPlace place;
  };

  struct CachedQueue {
    std::uint32_t lock = 0;
    std::uint32_t group = 0;  ///< counted from 1
    std::uint32_t queue = 0;
    std::uint8_t moved = 0;  ///< level Block only: a bit for each level up to which are_queues_moved() holds
  };
  static constexpr std::size_t kMostCached = 8192;

  std::uint32_t queue(std::uint32_t lock, std::uint32_t group);
  /// Cached queue() for a group of that level: usually the group of the last call.
  std::uint32_t queue_at(std::uint32_t lock, std::size_t level, std::uint32_t group) {
    return cached_queue(lock, level, group).queue;
  }
  /// Valid until the next call.
  CachedQueue& cached_queue(std::uint32_t lock, std::size_t level, std::uint32_t group) {
    const std::size_t place = (std::size_t{lock} * kLevels + level) % kMostCached;
    if (place >= cached_queues_.size()) cached_queues_.resize(std::min(2 * place + kLevels, kMostCached));
    CachedQueue& known = cached_queues_[place];
    if (known.group != group || known.lock != lock) known = {lock, group, queue(lock, group)};
    return known;
  }
  const std::array<std::uint32_t, kLevels>& groups(std::uint32_t thread) {
    if (thread >= groups_.size()) [[unlikely]] {
      add_groups(thread);
    }
    return groups_[thread];
  }
  void add_groups(std::uint32_t thread);
  /// Returns the widest level up to `scope` that differs from the levels below it; -1 for Thread.
  int level_of(Scope scope) const;
  bool is_level(int level) const { return is_level_[static_cast<std::size_t>(level)]; }

  const TraceTables& tables_;
  Overlap overlap_;
  std::array<bool, kLevels> is_level_{true};  ///< by level: its groups differ from those of the level below, or Exact
  FlatMap<std::uint32_t> group_numbers_;
  FlatMap<std::uint32_t> queue_numbers_;    ///< 1 + number
  std::vector<CachedQueue> cached_queues_;  ///< by lock and level
  std::vector<std::uint32_t> groups_of_queues_;
  std::vector<std::vector<std::uint32_t>> members_;  ///< by group: the threads so far
  std::uint32_t count_ = 0;
  std::uint32_t group_count_ = 0;
  std::vector<std::array<std::uint32_t, kLevels>> groups_;  ///< by thread, from Block to System
  std::vector<std::vector<BlockQueue>> block_queues_;       ///< Either: by lock
  std::vector<std::uint32_t> queues_;                       ///< the last result
};

}  // namespace ambit::detector
