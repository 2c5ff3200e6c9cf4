#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/events/draft.h"

namespace ambit::events {

/// The common properties of all arrivals at one barrier, except the value of the resource. Members that do not apply to
/// the barrier's kind are 0.
struct BarrierKey {
  BarrierKind kind = BarrierKind::Block;
  std::uint32_t id = 0;  ///< the number of a Block barrier; for Grid, not 0 at a boundary between launches
  int gpu = 0;
  int group = 0;           ///< number of the block or cluster
  int warp = 0;            ///< used only for Warp
  std::uint32_t mask = 0;  ///< used only for Warp
  friend auto operator<=>(const BarrierKey&, const BarrierKey&) = default;
};

/// Returns the instruction of a barrier event.
const Barrier& barrier_of(const EventGraph& graph, EventId e);

/// The events of one thread at one barrier, in program order.
struct Participant {
  struct Use {
    EventId event;
    /// The condition under which the event, if executed, uses this barrier: their resource values are equal.
    NodeId condition;
  };
  std::uint32_t thread = 0;
  std::vector<Use> uses = {};
};

/// One barrier: its events, which have the same key and resource value, and the threads that must arrive.
class BarrierGroup {
 public:
  BarrierGroup(Draft& draft, const BarrierKey& key, std::optional<Value> resource,
               std::vector<Participant> participants);

  enum class Kind : std::uint8_t {
    Joint,     ///< phase k consists of the k-th arrival of each thread in required()
    Hopeless,  ///< the barrier waits for more threads than exist, so no phase completes
    /// A fixed number of arrivals by any threads completes a phase. The order of the arrivals determines the phases.
    Counted,
  };
  Kind kind() const { return kind_; }

  /// The threads for which an exit replaces the arrival (definitions/events.md 2.6).
  enum class Release : std::uint8_t {
    None,        ///< none, because the barrier has a thread count
    Exited,      ///< all threads
    NotLeaders,  ///< at a grid barrier: all threads except the first thread of each block, which must arrive
    WholeWarps,  ///< the lanes of an arriving warp, because the thread count is a number of warps
  };
  Release release() const { return release_; }
  /// Returns the threads whose exit can complete a phase.
  std::vector<std::uint32_t> released() const;
  /// Returns whether `thread` is the first thread of its block. Only for grid barriers.
  bool is_leader(std::uint32_t thread) const;
  const std::vector<Participant>& participants() const { return participants_; }
  /// Returns the threads of the program that must arrive at each phase. Only for Joint.
  const std::vector<std::uint32_t>& required() const { return required_; }
  /// Returns the number of launched threads that exit without an event. Only for Joint.
  std::uint32_t vanished() const { return vanished_; }
  /// Returns whether some phase needs an arrival of a thread without events. Only for Joint.
  bool needs_vanished() const;
  /// Returns the number of threads of the group, including threads without events.
  std::uint32_t everyone() const { return everyone_; }
  /// Returns whether the barrier counts an arrival of the thread. A warp barrier ignores arrivals of lanes outside its
  /// mask.
  bool counts_arrival_of(std::uint32_t thread) const;
  /// Returns the number of threads for which the arrival `e` waits, as a node of the value graph.
  NodeId count_of(EventId e) const;
  /// Returns the number of threads for which each arrival waits; nothing if the number differs between arrivals or is
  /// not constant.
  std::optional<Value> count() const;
  /// Returns the maximum number of arrivals.
  std::size_t arrivals() const;

  /// Returns the barrier's name: "barrier 1 of block 0".
  std::string name() const;
  /// Reports that some thread waits forever if `condition` is true. `missing` contains the threads that never arrive.
  void report_divergence(NodeId condition, const std::vector<std::uint32_t>& missing) const;
  /// Reports that `threads` skip the barrier in conditional code if `condition` is true.
  void report_passing(NodeId condition, const std::vector<std::uint32_t>& threads) const;
  /// Adds a remark that phases can complete without `threads` and without the threads that have no events, because
  /// these threads have exited.
  void remark_exits(const std::vector<std::uint32_t>& threads) const;
  /// Returns the names of threads: "b0t2, b0t3 and 4 more".
  std::string names_of(const std::vector<std::uint32_t>& threads) const;
  /// Reports misuse of a barrier at an event.
  void report(NodeId condition, EventId at, std::string message) const;

 private:
  ValueGraph& values() const { return draft_->graph.values; }
  const Barrier& barrier(EventId e) const { return barrier_of(draft_->graph, e); }
  const Thread& thread(std::uint32_t t) const { return draft_->program().threads[t]; }
  const ThreadPlace& place() const { return thread(participants_.front().thread).place; }
  /// Returns whether this is a block barrier that all blocks of a gpu share (Mappings::barriers_per_gpu).
  bool is_per_gpu() const { return key_.kind == BarrierKind::Block && draft_->graph.options.mappings.barriers_per_gpu; }

  /// Returns whether the group is a kernel boundary: a launch starts after another launch has ended, on the same gpu or
  /// a different one.
  bool is_boundary() const { return key_.kind == BarrierKind::Grid && key_.id != 0; }
  bool uses(std::uint32_t t) const;
  bool is_member(std::uint32_t t) const;
  std::uint32_t find_vanished() const;
  void find_required();
  Release find_release(std::optional<Value> all_expect) const;
  bool take_whole_warps(Value count);
  bool can_arrive_twice() const;
  EventId first_wait() const;
  std::string divergence(const std::vector<std::uint32_t>& missing) const;

  Draft* draft_;
  BarrierKey key_;
  std::optional<Value> resource_;
  std::vector<Participant> participants_;
  std::vector<std::uint32_t> required_;
  std::uint32_t vanished_ = 0;
  std::uint32_t everyone_ = 0;  ///< number of threads of the group, including threads without events
  Kind kind_ = Kind::Joint;
  Release release_ = Release::None;
};

}  // namespace ambit::events
