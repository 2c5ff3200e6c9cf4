#pragma once

#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "detector/action.h"
#include "detector/clock_bank.h"
#include "detector/race_log.h"

namespace ambit::detector {

/// The last access of every thread to every location, by kind of access: what a new access is compared with. A location
/// that one thread uses in one way takes one small record; a row of times by thread is made when a second thread comes.
class AccessHistory {
 public:
  /// Both must outlive the history. Rows are made in `clocks`.
  AccessHistory(const TraceTables& tables, ClockBank& clocks) : tables_(tables), clocks_(clocks) {}

  /// Compares `access`, at time `now` of its thread, whose past is `clock`, with the accesses before it, calls
  /// found(RaceSide) for each conflicting one that is not in the past, and records it. `version` changes whenever
  /// `clock` or `now` does. Atomics whose scopes include each other do not conflict (definitions 4.4, choice 2).
  template <typename Found>
  void check(const Action& access, ClockId clock, Epoch now, std::uint32_t version, const Found& found) {
    if (access.object >= cells_.size()) grow(access.object);
    Cell& cell = cells_[access.object];
    const std::uint8_t kind = kind_of(access);
    if (cell.thread == access.thread && cell.kind == kind && cell.version == version && cell.site == access.site)
      return;
    std::uint32_t own = kNoName;
    for (std::uint32_t at = cell.head; at != kNoName; at = nodes_[at].next) {
      if (nodes_[at].kind == kind) own = at;
      if (!may_conflict(nodes_[at].kind, kind)) continue;
      if (is_behind(nodes_[at], access.thread, clock)) continue;
      visit_unordered(nodes_[at], access, clock, found);
    }
    record(cell, own, kind, access, now);
    cell.thread = access.thread;
    cell.kind = kind;
    cell.version = version;
    cell.site = access.site;
  }

  std::size_t memory() const;

 private:
  /// What a report needs of an access.
  struct Detail {
    std::uint64_t event = 0;
    std::uint32_t site = kNoName;
    std::uint32_t lock = kNoName;
    Scope lock_scope = Scope::System;
    bool lock_is_bare = false;
  };
  /// Accesses of one kind to one location.
  struct Node {
    std::uint32_t next = kNoName;
    std::uint32_t thread = 0;  ///< while it is the only one
    Epoch epoch = 0;
    ClockId row = kNoClock;     ///< else: last access by thread
    std::uint32_t details = 0;  ///< with a row
    std::uint8_t kind = 0;
    Detail detail;
  };
  struct Cell {
    std::uint32_t head = kNoName;
    std::uint32_t thread = kNoName;  ///< of the last access
    std::uint32_t version = 0;
    std::uint32_t site = kNoName;
    std::uint8_t kind = 0;
  };

  // Kinds: plain read, plain write, then atomic read and write of each scope from Block on.
  static std::uint8_t kind_of(const Action& access) {
    const int write = access.is_write ? 1 : 0;
    return static_cast<std::uint8_t>(access.is_atomic ? 2 * static_cast<int>(access.scope) + write : write);
  }
  static bool is_write(std::uint8_t kind) { return (kind & 1U) != 0; }
  static bool is_atomic(std::uint8_t kind) { return kind >= 2; }
  static Scope scope_of(std::uint8_t kind) { return is_atomic(kind) ? static_cast<Scope>(kind / 2) : Scope::System; }

  bool may_conflict(std::uint8_t a, std::uint8_t b) const {
    if (!is_write(a) && !is_write(b)) return false;
    return !is_atomic(a) || !is_atomic(b) || narrower(scope_of(a), scope_of(b)) < all_inclusive();
  }
  /// The narrowest scope that holds every thread of the launch.
  Scope all_inclusive() const {
    if (tables_.launch.gpus > 1) return Scope::System;
    return tables_.launch.blocks() > 1 ? Scope::Device : Scope::Block;
  }
  bool is_behind(const Node& node, std::uint32_t thread, ClockId clock) const {
    if (node.row == kNoClock) return node.thread == thread || node.epoch <= clocks_.at(clock, node.thread);
    return !exceeds(clocks_.row(node.row), clocks_.row(clock), clocks_.width());
  }

  template <typename Found>
  void visit_unordered(const Node& node, const Action& access, ClockId clock, const Found& found) {
    if (node.row == kNoClock) return visit(node, node.thread, node.detail, access, found);
    const std::vector<Detail>& details = details_[node.details];
    for (std::uint32_t thread = 0; thread < details.size(); ++thread) {
      if (thread == access.thread || clocks_.at(node.row, thread) <= clocks_.at(clock, thread)) continue;
      visit(node, thread, details[thread], access, found);
    }
  }
  template <typename Found>
  void visit(const Node& node, std::uint32_t thread, const Detail& detail, const Action& access, const Found& found) {
    const bool both_atomic = is_atomic(node.kind) && access.is_atomic;
    if (both_atomic && same_instance(tables_.threads()[thread].place, tables_.threads()[access.thread].place,
                                     narrower(scope_of(node.kind), access.scope))) {
      return;
    }
    found(RaceSide{thread, detail.site, detail.event, is_write(node.kind), is_atomic(node.kind), scope_of(node.kind),
                   detail.lock, detail.lock_scope, detail.lock_is_bare});
  }

  void grow(std::uint32_t location);
  void record(Cell& cell, std::uint32_t node, std::uint8_t kind, const Action& access, Epoch now);
  void make_row(Node& node);

  const TraceTables& tables_;
  ClockBank& clocks_;
  std::vector<Cell> cells_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Detail>> details_;  ///< by thread
};

}  // namespace ambit::detector
