#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "detector/clocks/access_kind.h"
#include "detector/clocks/clock_bank.h"
#include "detector/inference/action.h"
#include "detector/inference/flat_map.h"
#include "detector/race_log.h"

namespace ambit::detector {

/// Stores the last access of each thread to each location, separately for each kind of access. A race check compares a
/// new access with the stored accesses. Each pair of location and kind has a node with one entry for each thread. The
/// node itself contains the first entry.
class AccessHistory {
 public:
  /// `tables` must outlive the history.
  explicit AccessHistory(const TraceTables& tables) : tables_(tables) {}

  /// Calls found(RaceSide) for each earlier access that conflicts with `access` and is not in the past, then records
  /// `access`. `now` is the local time of the access's thread. The caller changes `version` whenever `past` or `now`
  /// changes. Atomics whose scopes include each other do not conflict (definitions 4.4, choice 2). Clocks must be
  /// transitive: a clock that includes an event of another thread includes all events before this event.
  template <typename Past, typename Found>
  void check(const Action& access, const Past& past, Epoch now, std::uint32_t version, const Found& found) {
    if (access.object >= cells_.size()) grow(access.object);
    Cell& cell = cells_[access.object];
    const std::uint8_t kind = kind_of(access);
    if (cell.thread == access.thread && cell.kind == kind && cell.version == version && cell.site == access.site)
      return;
    if (access.ends_updates) forget_updates(cell);
    std::uint32_t own = kNoName;
    for (std::uint32_t at = cell.head; at != kNoName; at = nodes_[at].next) {
      Node& node = nodes_[at];
      if (node.kind == kind) own = at;
      if (!is_write(node.kind) && !access.is_write) continue;
      if (access.is_atomic && !is_async(node.kind) && !may_conflict(node.kind, kind, tables_.launch)) continue;
      if (visit_unordered(node, access, past, found)) cover_all(node, {access.thread, now});
    }
    if (own == kNoName) {
      add_node(cell, kind, access, now);
    } else {
      const Node& node = nodes_[own];
      const bool all_in_past =
          node.is_whole && (node.cover.thread == access.thread || is_mark_in_past(node.cover, past));
      record(own, access, now, all_in_past);
    }
    cell.thread = access.thread;
    cell.kind = kind;
    cell.version = version;
    cell.site = access.site;
  }

  /// Like check(), for an access by an asynchronous operation. `is_in_past(thread, epoch, is_async)` returns whether an
  /// access by `thread` at time `epoch` happens before the new access; `is_async` is true if the async proxy made the
  /// earlier access. A wait for an asynchronous operation orders only the accesses of this operation, so the resulting
  /// order is not transitive.
  template <typename IsInPast, typename Found>
  void check_operation(const Action& access, const IsInPast& is_in_past, Epoch now, const Found& found) {
    if (access.object >= cells_.size()) grow(access.object);
    Cell& cell = cells_[access.object];
    const auto kind = static_cast<std::uint8_t>(kind_of(access) | (access.is_async ? kAsyncKind : 0));
    if (access.ends_updates) forget_updates(cell);
    std::uint32_t own = kNoName;
    for (std::uint32_t at = cell.head; at != kNoName; at = nodes_[at].next) {
      const Node& node = nodes_[at];
      if (node.kind == kind) own = at;
      if (!is_write(node.kind) && !access.is_write) continue;
      const auto visit = [&](const Entry& entry) {
        const bool is_ordered =
            entry.mark.thread == access.thread || is_in_past(entry.mark.thread, entry.mark.epoch, is_async(node.kind));
        if (!is_ordered) report(node.kind, entry, access, found);
      };
      visit(node.first);
      if (node.others != kNoName) std::ranges::for_each(lists_[node.others], visit);
    }
    if (own == kNoName) {
      add_node(cell, kind, access, now);
    } else {
      record(own, access, now, false);
    }
    cell.thread = kNoName;
  }

  /// Returns the local time of the thread's last atomic access to the location by the generic proxy; 0 without such an
  /// access.
  Epoch last_atomic(std::uint32_t location, std::uint32_t thread) const;
  /// Considers each thread's last atomic access to the location by the generic proxy. Returns whether one of these
  /// accesses satisfies `is_it(thread, epoch)`.
  template <typename IsIt>
  bool has_atomic(std::uint32_t location, const IsIt& is_it) const {
    std::uint32_t left = kMostLooked;
    const auto look = [&](const Entry& entry) {
      return left != 0 && (--left, is_it(entry.mark.thread, entry.mark.epoch));
    };
    for (std::uint32_t at = cells_[location].head; at != kNoName; at = nodes_[at].next) {
      const Node& node = nodes_[at];
      if (!is_atomic(node.kind) || is_async(node.kind)) continue;
      if (look(node.first) || (node.others != kNoName && std::ranges::any_of(lists_[node.others], look))) return true;
    }
    return false;
  }
  /// Returns the memory in use, in bytes.
  std::size_t memory() const;

 private:
  /// A thread and a local time of this thread.
  struct Mark {
    std::uint32_t thread = 0;
    Epoch epoch = 0;
  };
  /// The parts of an access that a report needs.
  struct Detail {
    std::uint64_t event = 0;
    std::uint32_t site = kNoName;
    std::uint32_t lock = kNoName;
    Scope lock_scope = Scope::System;
    bool lock_is_bare = false;
  };
  struct Entry {
    Mark mark;
    Detail detail;
  };
  /// Accesses of one kind to one location.
  struct Node {
    std::uint32_t next = kNoName;
    std::uint32_t others = kNoName;  ///< index in lists_ of the list with the other threads' entries
    /// A clock that includes this mark includes all covered entries. The epoch is 0 if no entry is covered.
    Mark cover;
    Entry first;
    std::uint32_t covered = 0;  ///< number of covered entries at the front of `others`
    bool is_first_covered = false;
    bool is_whole = false;  ///< all entries are covered
    std::uint8_t kind = 0;
  };
  struct Cell {
    std::uint32_t head = kNoName;
    std::uint32_t thread = kNoName;  ///< thread of the last access
    std::uint32_t version = 0;
    std::uint32_t site = kNoName;
    std::uint8_t kind = 0;
  };

  template <typename Past>
  static bool is_mark_in_past(const Mark& mark, const Past& past) {
    return past.contains(mark.thread, mark.epoch);
  }
  /// Calls `found` for the accesses of the node that are not in the past. Returns whether all accesses are in the past.
  template <typename Past, typename Found>
  bool visit_unordered(const Node& node, const Action& access, const Past& past, const Found& found) {
    const bool cover_in_past = node.cover.epoch != 0 && is_mark_in_past(node.cover, past);
    if (cover_in_past && node.is_whole) return true;
    bool all_in_past = true;
    const auto visit = [&](const Entry& entry) {
      if (is_mark_in_past(entry.mark, past)) return;
      all_in_past = false;
      report(node.kind, entry, access, found);
    };
    if (!cover_in_past || !node.is_first_covered) visit(node.first);
    if (node.others == kNoName) return all_in_past;
    const std::vector<Entry>& list = lists_[node.others];
    for (std::size_t i = cover_in_past ? node.covered : 0; i < list.size(); ++i) visit(list[i]);
    return all_in_past;
  }
  template <typename Found>
  void report(std::uint8_t kind, const Entry& entry, const Action& access, const Found& found) {
    const std::uint32_t thread = entry.mark.thread;
    const bool is_one_proxy = is_async(kind) == access.is_async;  // async and generic accesses are never morally strong
                                                                  // (PTX ISA 8.7)
    kind = without_proxy(kind);
    const bool both_atomic = is_atomic(kind) && access.is_atomic && is_one_proxy;
    if (both_atomic && same_instance(tables_.threads()[thread].place, tables_.threads()[access.thread].place,
                                     narrower(scope_of(kind), access.scope))) {
      return;
    }
    const Detail& detail = entry.detail;
    found(RaceSide{thread, detail.site, detail.event, is_write(kind), is_atomic(kind), scope_of(kind), detail.lock,
                   detail.lock_scope, detail.lock_is_bare});
  }

  void grow(std::uint32_t location);
  /// Excludes the atomic writes to the location from all further race checks.
  void forget_updates(Cell& cell);
  void add_node(Cell& cell, std::uint8_t kind, const Action& access, Epoch now);
  /// Records the access in the node. `covers` is true if all other accesses of the node happen before this access.
  void record(std::uint32_t node, const Action& access, Epoch now, bool covers);
  /// Marks the thread's entry at `place` as not covered. Returns the new place of the entry.
  std::uint32_t uncover(std::uint32_t node, std::uint32_t place, std::uint32_t thread);
  /// Returns the index of the thread's entry in the node's list `others`, or kFirst if the entry is `first`. Adds a
  /// missing entry.
  std::uint32_t place_of(std::uint32_t node, std::uint32_t thread);
  static std::uint64_t key(std::uint32_t node, std::uint32_t thread) { return (std::uint64_t{node} << 32U) | thread; }
  void cover_all(Node& node, Mark mark) {
    node.cover = mark;
    if (node.is_whole) return;
    node.is_first_covered = true;
    node.is_whole = true;
    node.covered = node.others == kNoName ? 0 : static_cast<std::uint32_t>(lists_[node.others].size());
  }

  static constexpr std::uint32_t kFirst = 0xffffffffU;
  /// A list with more entries has an index (positions_). If an entry of this list changes, the other covered entries
  /// remain covered.
  static constexpr std::size_t kShort = 8;
  /// Limit on the entries that has_atomic() checks, because race checks call has_atomic() often.
  static constexpr std::uint32_t kMostLooked = 256;

  const TraceTables& tables_;
  std::vector<Cell> cells_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Entry>> lists_;
  FlatMap<std::uint32_t> positions_;  ///< for long lists, maps (node, thread) to 1 + index in the list
};

}  // namespace ambit::detector
