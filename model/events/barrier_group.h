#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/events/draft.h"

namespace ambit::events {

/// What arrivals must have in common to meet, resource values apart. What means nothing for the kind is 0.
struct BarrierKey {
  BarrierKind kind = BarrierKind::Block;
  std::uint32_t id = 0;  ///< Block; Grid: not 0 for the boundary between launches
  int gpu = 0;
  int group = 0;           ///< number of the block or cluster
  int warp = 0;            ///< Warp
  std::uint32_t mask = 0;  ///< Warp
  friend auto operator<=>(const BarrierKey&, const BarrierKey&) = default;
};

/// The instruction that a barrier event comes from.
const Barrier& barrier_of(const EventGraph& graph, EventId e);

/// The events of one thread at one barrier, in program order.
struct Participant {
  struct Use {
    EventId event;
    NodeId condition;  ///< given that the event is executed, it is at this barrier: its resource value is the barrier's
  };
  std::uint32_t thread = 0;
  std::vector<Use> uses = {};
};

/// One barrier: the events of equal key and resource value, and who must arrive.
class BarrierGroup {
 public:
  BarrierGroup(Draft& draft, const BarrierKey& key, std::optional<Value> resource,
               std::vector<Participant> participants);

  enum class Kind : std::uint8_t {
    Joint,     ///< each phase takes one arrival of each of required(): the k-th arrivals of the threads meet
    Hopeless,  ///< waits for more threads than there are: no phase ever completes
    Counted,   ///< a phase is over with so many arrivals, whoever arrives: the order of arrivals decides who meets
  };
  Kind kind() const { return kind_; }

  /// The threads that a phase does not need after they have exited (definitions.md 2.6).
  enum class Release : std::uint8_t {
    None,        ///< none: the barrier has a thread count
    Exited,      ///< every thread
    NotLeaders,  ///< every thread except the first of each block, which represents the block at a grid barrier
    WholeWarps,  ///< lanes of warps that arrive: the thread count is in warps
  };
  Release release() const { return release_; }
  /// Threads whose exit can complete a phase.
  std::vector<std::uint32_t> released() const;
  /// Grid barrier: whether `thread` is the first of its block.
  bool is_leader(std::uint32_t thread) const;
  const std::vector<Participant>& participants() const { return participants_; }
  /// Joint: threads of the program that must arrive at every phase.
  const std::vector<std::uint32_t>& required() const { return required_; }
  /// Joint: threads that were launched and have no event. They have exited.
  std::uint32_t vanished() const { return vanished_; }
  /// Joint: some phase needs an arrival of a thread that has no event.
  bool needs_vanished() const;
  /// Threads of the group, those without events included.
  std::uint32_t everyone() const { return everyone_; }
  /// The arrival of the thread counts. (A warp barrier may be used by a lane that its mask leaves out.)
  bool counts_arrival_of(std::uint32_t thread) const;
  /// How many threads the arrival `e` waits for, as a value.
  NodeId count_of(EventId e) const;
  /// The one number of threads that all its arrivals wait for; nothing if they differ or are not constant.
  std::optional<Value> count() const;
  /// Arrivals, at most.
  std::size_t arrivals() const;

  /// "barrier 1 of block 0".
  std::string name() const;
  /// Reports that some thread waits for ever if `condition` holds. `missing`: threads that never arrive.
  void report_divergence(NodeId condition, const std::vector<std::uint32_t>& missing) const;
  /// Reports that `threads` skip the barrier in conditional code if `condition` holds.
  void report_passing(NodeId condition, const std::vector<std::uint32_t>& threads) const;
  /// Remarks that phases can complete without `threads` and without the threads that have no events, because these
  /// threads exited.
  void remark_exits(const std::vector<std::uint32_t>& threads) const;
  /// "b0t2, b0t3 and 4 more".
  std::string names_of(const std::vector<std::uint32_t>& threads) const;
  /// Reports misuse of a barrier at an event.
  void report(NodeId condition, EventId at, std::string message) const;

 private:
  ValueGraph& values() const { return draft_->graph.values; }
  const Barrier& barrier(EventId e) const { return barrier_of(draft_->graph, e); }
  const Thread& thread(std::uint32_t t) const { return draft_->program().threads[t]; }
  const ThreadPlace& place() const { return thread(participants_.front().thread).place; }
  /// Block barriers that meet across the blocks of a gpu (Mappings::barriers_per_gpu).
  bool is_per_gpu() const { return key_.kind == BarrierKind::Block && draft_->graph.options.mappings.barriers_per_gpu; }

  /// Whether the group is a kernel boundary: one launch starts after another has ended, on the same or another gpu.
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
  std::uint32_t everyone_ = 0;  ///< threads of the group, those included that have vanished
  Kind kind_ = Kind::Joint;
  Release release_ = Release::None;
};

}  // namespace ambit::events
