#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/events/draft.h"

namespace ambit::events {

/// The properties that arrivals at one barrier share, except the resource's value. Members that do not apply to the
/// kind are 0.
struct BarrierKey {
  BarrierKind kind = BarrierKind::Block;
  std::uint32_t id = 0;  ///< number of a Block barrier; for Grid, not 0 at the boundary between launches
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
    NodeId condition;  ///< given that the event is executed: its resource has the barrier's value, so the event is at
                       ///< this barrier
  };
  std::uint32_t thread = 0;
  std::vector<Use> uses = {};
};

/// One barrier: the events with equal key and resource value, and the threads that must arrive.
class BarrierGroup {
 public:
  BarrierGroup(Draft& draft, const BarrierKey& key, std::optional<Value> resource,
               std::vector<Participant> participants);

  enum class Kind : std::uint8_t {
    Joint,     ///< each phase takes one arrival of each thread in required(): the k-th arrivals of the threads meet
    Hopeless,  ///< waits for more threads than exist, so that no phase completes
    Counted,   ///< a phase completes after a fixed number of arrivals of any threads, so that the order of arrivals
               ///< decides which threads meet
  };
  Kind kind() const { return kind_; }

  /// The threads that a phase does not need after they have exited (definitions/events.md 2.6).
  enum class Release : std::uint8_t {
    None,        ///< no threads, because the barrier has a thread count
    Exited,      ///< all threads
    NotLeaders,  ///< all threads except the first thread of each block, which represents the block at a grid barrier
    WholeWarps,  ///< lanes of warps that arrive, because the thread count is in warps
  };
  Release release() const { return release_; }
  /// Returns the threads whose exit can complete a phase.
  std::vector<std::uint32_t> released() const;
  /// Returns whether `thread` is the first thread of its block. Only for grid barriers.
  bool is_leader(std::uint32_t thread) const;
  const std::vector<Participant>& participants() const { return participants_; }
  /// Returns the threads of the program that must arrive at each phase. Only for Joint.
  const std::vector<std::uint32_t>& required() const { return required_; }
  /// Returns the number of launched threads that have no event, because they have exited. Only for Joint.
  std::uint32_t vanished() const { return vanished_; }
  /// Returns whether some phase needs an arrival of a thread that has no event. Only for Joint.
  bool needs_vanished() const;
  /// Returns the number of threads of the group, including those without events.
  std::uint32_t everyone() const { return everyone_; }
  /// Returns whether an arrival of the thread counts. (A lane outside the mask may use a warp barrier.)
  bool counts_arrival_of(std::uint32_t thread) const;
  /// Returns, as a value, the number of threads for which the arrival `e` waits.
  NodeId count_of(EventId e) const;
  /// Returns the number of threads for which all arrivals wait; nothing if the number differs between arrivals or is
  /// not constant.
  std::optional<Value> count() const;
  /// Returns the maximum number of arrivals.
  std::size_t arrivals() const;

  /// Returns the barrier's name: "barrier 1 of block 0".
  std::string name() const;
  /// Reports that some thread waits forever if `condition` holds. `missing` has the threads that never arrive.
  void report_divergence(NodeId condition, const std::vector<std::uint32_t>& missing) const;
  /// Reports that `threads` skip the barrier in conditional code if `condition` holds.
  void report_passing(NodeId condition, const std::vector<std::uint32_t>& threads) const;
  /// Adds a remark that phases can complete without `threads` and the threads that have no events, because these
  /// threads exited.
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
  /// Returns whether block barriers meet across the blocks of a gpu (Mappings::barriers_per_gpu).
  bool is_per_gpu() const { return key_.kind == BarrierKind::Block && draft_->graph.options.mappings.barriers_per_gpu; }

  /// Returns whether the group is a kernel boundary: one launch starts after another launch has ended, on the same or
  /// another gpu.
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
  std::uint32_t everyone_ = 0;  ///< number of threads of the group, including threads that have vanished
  Kind kind_ = Kind::Joint;
  Release release_ = Release::None;
};

}  // namespace ambit::events
