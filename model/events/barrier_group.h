#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/events/draft.h"

namespace ambit::events {

/// What arrivals must have in common to meet, resource values apart. What means nothing for the kind is 0.
struct BarrierKey {
  BarrierKind kind = BarrierKind::Block;
  std::uint32_t id = 0;  ///< Block
  int gpu = 0;
  int group = 0;           ///< number of the block or cluster
  int warp = 0;            ///< Warp
  std::uint32_t mask = 0;  ///< Warp
  friend auto operator<=>(const BarrierKey&, const BarrierKey&) = default;
};

/// The instruction that a barrier event comes from.
const Barrier& barrier_of(const EventGraph& graph, EventId e);

/// syncbar in the making: two events may meet in several instances, which are alternatives.
class Meetings {
 public:
  explicit Meetings(EventGraph& graph) : graph_(graph) {}
  void add(EventId from, EventId to, NodeId condition);
  /// Puts what was added into the graph.
  void finish();

 private:
  EventGraph& graph_;
  std::map<std::pair<EventId, EventId>, NodeId> alternatives_;
};

/// The events of one thread at one barrier, in program order.
struct Participant {
  struct Use {
    EventId event;
    NodeId condition;  ///< given that the event is executed, it is at this barrier: its resource value is the barrier's
  };
  std::uint32_t thread = 0;
  std::vector<Use> uses = {};
  // By instance; filled by BarrierGroup.
  std::vector<NodeId> arrives = {};
  std::vector<NodeId> waits = {};
};

/// One barrier: the events of equal key and resource value. The k-th arrival of each thread belongs to instance k.
class BarrierGroup {
 public:
  BarrierGroup(Draft& draft, const BarrierKey& key, std::optional<Value> resource,
               std::vector<Participant> participants);

  /// Numbers the instances, finds which threads meet, and adds the incidents of threads that wait forever.
  void fill(Meetings& meetings);

 private:
  /// An event that is part of an instance where `condition` holds, given that it is executed.
  struct Visit {
    EventId event;
    std::uint32_t thread;
    NodeId condition;
  };
  /// What a thread has done at the barrier so far.
  struct Progress {
    std::vector<NodeId> exactly = {ValueGraph::kTrue};  ///< by k: it arrived k times
    std::size_t lowest = 0;                             ///< below, `exactly` is false
    NodeId pending = ValueGraph::kFalse;                ///< its last arrival was not waited for (split barriers)
  };

  ValueGraph& values() { return draft_.graph.values; }
  const Barrier& barrier(EventId e) const { return barrier_of(draft_.graph, e); }
  const Thread& thread(std::uint32_t t) const { return draft_.program().threads[t]; }
  const ThreadPlace& place() const { return thread(participants_.front().thread).place; }
  /// Block barriers that meet across the blocks of a gpu (Mappings::barriers_per_gpu).
  bool is_per_gpu() const { return key_.kind == BarrierKind::Block && draft_.graph.options.mappings.barriers_per_gpu; }
  std::string name() const;

  // Instances.
  void number(Participant& participant);
  void arrive(Participant& participant, const Participant::Use& use, Progress& progress);
  void wait(Participant& participant, const Participant::Use& use, Progress& progress);
  void visit(Participant& participant, const Participant::Use& use, std::size_t k, NodeId condition);
  void meet(Meetings& meetings);

  // Completion.
  bool is_member(std::uint32_t t) const;
  std::uint32_t find_vanished() const;
  void find_required();
  NodeId count_of(EventId e);
  std::vector<Value> possible_counts();
  NodeId completes(std::size_t k);
  NodeId all_arrive(std::size_t k);
  NodeId exactly_arrive(std::size_t k, Value count);
  NodeId agree(std::size_t k, Value count);

  // Divergence.
  void report_divergence();
  void report(NodeId condition, EventId at, std::string message);
  std::string divergence() const;
  std::string absent() const;

  Draft& draft_;
  BarrierKey key_;
  std::optional<Value> resource_;
  std::vector<Participant> participants_;
  std::vector<std::vector<Visit>> instances_;
  std::vector<std::uint32_t> required_;  ///< threads of the program that must arrive at every instance
  std::uint32_t vanished_ = 0;           ///< others that must and never do: they were launched but have no event
  std::uint32_t everyone_ = 0;           ///< threads of the group, those included
  std::vector<Value> counts_;            ///< how many threads an instance may wait for
  bool needs_all_ = true;                ///< an instance waits for all of required_ and vanished_, come what may
  std::vector<NodeId> completed_;        ///< by instance
};

}  // namespace ambit::events
