#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "detector/inference/flat_map.h"

namespace ambit::detector {

/// Two operations on one lock exclude each other if their scopes satisfy this condition
/// (definitions 4.4, choice 1).
enum class Overlap : std::uint8_t {
  Mutual,  ///< each scope contains the other operation's thread
  Either,  ///< one scope or both scopes contain the other operation's thread, as in the text of the GWCP paper
  Exact,   ///< both operations have the same instance of a scope; ScoRD hashes the scope into the lock's id
  All,     ///< scopes are ignored
};

/// Assigns the releases of locks to release queues. A queue has releases of one lock by one group of threads. An
/// acquire reads several queues. Together they have exactly the releases with scopes that overlap with the acquire.
///
/// Let L be the narrowest level at which two threads are in one group. Mutual overlap of scopes s and s' means L <= s
/// and L <= s'. So a release of scope s goes into the queues of the thread's groups at each level up to s. An acquire
/// of scope s' reads the queues of the thread's groups at every level up to s'. Either means L <= s or L <= s'. For
/// Either, the acquire reads the releases of all blocks within s' and, at wider levels, the queues of its own groups.
class LockGroups {
 public:
  LockGroups(const TraceTables& tables, Overlap overlap) : tables_(tables), overlap_(overlap) {}

  /// Returns the queues that receive a release of `scope`. The queues of all locks together have consecutive numbers.
  const std::vector<std::uint32_t>& queues_of_release(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Returns the queues that an acquire of `scope` reads.
  const std::vector<std::uint32_t>& queues_of_acquire(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Returns whether an earlier call has created the queues for `scope`.
  bool has_queues(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Creates the queues of 32 consecutive locks, one lock for each thread of a warp. Returns whether these queues have
  /// consecutive numbers at each level.
  bool are_queues_moved(std::uint32_t lock, std::uint32_t thread, Scope scope);
  std::size_t queues() const { return count_; }
  /// Returns all threads that may ever read the queue, or null if some of these threads are not yet known. Only for
  /// Mutual.
  const std::vector<std::uint32_t>* readers(std::uint32_t queue);

 private:
  static constexpr std::size_t kLevels = 4;
  struct BlockQueue {
    std::uint32_t queue;
    ThreadPlace place;
  };

  struct CachedQueue {
    std::uint32_t lock = 0;
    std::uint32_t group = 0;  ///< 1 + number of the group
    std::uint32_t queue = 0;
    std::uint8_t moved = 0;  ///< for level Block, the bits of the scopes for which are_queues_moved() returned true
  };
  static constexpr std::size_t kMostCached = 8192;

  std::uint32_t queue(std::uint32_t lock, std::uint32_t group);
  /// Like queue(), with a cache. For each lock and level, the cache has one group, usually the group of the last call.
  std::uint32_t queue_at(std::uint32_t lock, std::size_t level, std::uint32_t group) {
    return cached_queue(lock, level, group).queue;
  }
  /// Returns the cached queue. The reference is valid until the next call.
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
  /// Returns the widest level up to `scope` with is_level(), or -1 for Thread.
  int level_of(Scope scope) const;
  bool is_level(int level) const { return is_level_[static_cast<std::size_t>(level)]; }

  const TraceTables& tables_;
  Overlap overlap_;
  /// For each level, whether its groups differ from the next narrower level's groups, or the overlap is Exact.
  std::array<bool, kLevels> is_level_{true};
  FlatMap<std::uint32_t> group_numbers_;
  FlatMap<std::uint32_t> queue_numbers_;    ///< maps (lock, group) to 1 + queue number
  std::vector<CachedQueue> cached_queues_;  ///< cache entries, one for each pair of lock and level
  std::vector<std::uint32_t> groups_of_queues_;
  std::vector<std::vector<std::uint32_t>> members_;  ///< for each group, the threads seen so far
  std::uint32_t count_ = 0;
  std::uint32_t group_count_ = 0;
  std::vector<std::array<std::uint32_t, kLevels>> groups_;  ///< for each thread, its groups from Block to System
  std::vector<std::vector<BlockQueue>> block_queues_;       ///< queues of each lock; used only for Either
  std::vector<std::uint32_t> queues_;                       ///< the last result
};

}  // namespace ambit::detector
