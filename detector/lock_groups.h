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

/// Files the releases of locks so that an acquire finds exactly those that overlap with it. A file is the release queue
/// of one lock for one group of threads.
///
/// Let L be the narrowest level at which two threads are in one group. Then Mutual overlap of scopes s and s' means
/// L <= s and L <= s'. So a release of scope s is filed under its thread's group at every level up to s, and an acquire
/// of scope s' reads its thread's groups at every level up to s'. Either means L <= s or L <= s': the acquire reads the
/// releases of all blocks within s', and its own groups at the wider levels.
class LockGroups {
 public:
  LockGroups(const TraceTables& tables, Overlap overlap) : tables_(tables), overlap_(overlap) {}

  /// Returns the files (numbers, dense over all locks) into which a release of that scope goes.
  const std::vector<std::uint32_t>& files_of_release(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Returns the files that an acquire of that scope reads.
  const std::vector<std::uint32_t>& files_of_acquire(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Returns whether files for that scope exist, i.e. whether an earlier call has created them.
  bool has_files(std::uint32_t lock, std::uint32_t thread, Scope scope);
  /// Returns whether 32 consecutive locks, one for each thread of a warp, have consecutive files. Creates the files.
  bool are_files_moved(std::uint32_t lock, std::uint32_t thread, Scope scope);
  std::size_t files() const { return count_; }
  /// Mutual: returns all threads that may ever read the file; null: not all are known yet.
  const std::vector<std::uint32_t>* readers(std::uint32_t file);

 private:
  static constexpr std::size_t kLevels = 4;
  struct BlockFile {
    std::uint32_t file;
    ThreadPlace place;
  };

  struct KnownFile {
    std::uint32_t lock = 0;
    std::uint32_t group = 0;  ///< counted from 1
    std::uint32_t file = 0;
    std::uint8_t moved = 0;  ///< level Block only: a bit for each level up to which are_files_moved() holds
  };
  static constexpr std::size_t kMostKnown = 8192;

  std::uint32_t file(std::uint32_t lock, std::uint32_t group);
  /// Cached file() for a group of that level: usually the group of the last call.
  std::uint32_t file_at(std::uint32_t lock, std::size_t level, std::uint32_t group) {
    return known_file(lock, level, group).file;
  }
  /// Valid until the next call.
  KnownFile& known_file(std::uint32_t lock, std::size_t level, std::uint32_t group) {
    const std::size_t place = (std::size_t{lock} * kLevels + level) % kMostKnown;
    if (place >= known_files_.size()) known_files_.resize(std::min(2 * place + kLevels, kMostKnown));
    KnownFile& known = known_files_[place];
    if (known.group != group || known.lock != lock) known = {lock, group, file(lock, group)};
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
  FlatMap<std::uint32_t> file_numbers_;  ///< 1 + number
  std::vector<KnownFile> known_files_;   ///< by lock and level
  std::vector<std::uint32_t> groups_of_files_;
  std::vector<std::vector<std::uint32_t>> members_;  ///< by group: the threads so far
  std::uint32_t count_ = 0;
  std::uint32_t group_count_ = 0;
  std::vector<std::array<std::uint32_t, kLevels>> groups_;  ///< by thread, from Block to System
  std::vector<std::vector<BlockFile>> block_files_;         ///< Either: by lock
  std::vector<std::uint32_t> files_;                        ///< the last result
};

}  // namespace ambit::detector
