// Barrier instances (definitions.md 3.2, 4.3 (iii)): the arrivals of a barrier are grouped into instances, the k-th one
// of each thread belonging to instance k. Every arrival of an instance synchronises with every other thread's arrival
// that waits. An instance that some thread reaches and another that must does not is a divergence.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/events/conditional.h"

namespace ambit::events {
namespace {

/// One barrier resource: kind, id, gpu, number of the block | cluster | (block, warp), mask.
using BarrierKey = std::tuple<BarrierKind, std::uint32_t, int, int, int, std::uint32_t>;

/// An event that is the k-th arrival of its thread where `condition` holds, given that it is executed.
struct Arrival {
  EventId event;
  std::uint32_t thread;
  NodeId condition;
  bool is_only;  ///< the event is an arrival of no other instance
};

/// The arrivals of one thread at one barrier.
struct Participant {
  std::uint32_t thread;
  std::vector<EventId> events;       ///< in program order
  std::vector<NodeId> arrives = {};  ///< by k: gets to instance k
};

class BarrierGroup {
 public:
  BarrierGroup(Draft& draft, const BarrierKey& key, std::vector<Participant> participants)
      : draft_(draft), graph_(draft.graph), key_(key), participants_(std::move(participants)) {}

  void fill() {
    std::vector<std::vector<Arrival>> instances;
    for (Participant& participant : participants_) number(participant, instances);
    const bool is_ordinary = find_required();
    if (!is_ordinary) return;
    report_divergence(instances.size());
    synchronise(instances);
  }

 private:
  BarrierKind kind() const { return std::get<0>(key_); }
  const Thread& thread(std::uint32_t t) const { return draft_.program().threads[t]; }
  const Barrier& barrier(EventId e) const {
    const Event& event = graph_.events[e];
    return std::get<Barrier>(thread(event.thread).code[event.instruction].operation);
  }

  /// Which instances the participant's events belong to: with c(k) = "exactly k of the events so far were executed",
  /// the next one, if executed, is the arrival at instance k iff c(k).
  void number(Participant& participant, std::vector<std::vector<Arrival>>& instances) {
    ValueGraph& values = graph_.values;
    std::vector<NodeId> exactly = {ValueGraph::kTrue};
    std::size_t lowest = 0;  // c(k) is false below
    for (const EventId e : participant.events) {
      const NodeId guard = graph_.events[e].guard;
      if (instances.size() < exactly.size()) instances.resize(exactly.size());
      std::vector<std::pair<std::size_t, NodeId>> found;
      for (std::size_t k = lowest; k < exactly.size(); ++k) {
        const NodeId condition = values.given(exactly[k], guard);
        if (condition != ValueGraph::kFalse) found.emplace_back(k, condition);
      }
      for (const auto& [k, condition] : found) {
        instances[k].push_back({e, participant.thread, condition, found.size() == 1});
      }
      exactly.push_back(ValueGraph::kFalse);
      for (std::size_t k = exactly.size(); k-- > lowest;) {
        const NodeId before = k > 0 ? values.conjunction(exactly[k - 1], guard) : ValueGraph::kFalse;
        exactly[k] = values.disjunction(values.conjunction(exactly[k], values.negation(guard)), before);
      }
      while (exactly[lowest] == ValueGraph::kFalse) ++lowest;
    }
    NodeId at_most = ValueGraph::kFalse;
    for (const NodeId count : exactly) {
      at_most = values.disjunction(at_most, count);
      participant.arrives.push_back(values.negation(at_most));
    }
  }

  bool is_member(std::uint32_t t) const {
    const ThreadPlace& mine = thread(participants_.front().thread).place;
    const ThreadPlace& other = thread(t).place;
    switch (kind()) {
      case BarrierKind::Block: return same_instance(mine, other, Scope::Block);
      case BarrierKind::Cluster: return same_instance(mine, other, Scope::Cluster);
      case BarrierKind::Grid: return same_instance(mine, other, Scope::Device);
      case BarrierKind::Warp: {
        const bool is_named = ((std::get<5>(key_) >> (static_cast<unsigned>(other.lane) % 32U)) & 1U) != 0;
        return same_instance(mine, other, Scope::Block) && mine.warp == other.warp && is_named;
      }
    }
    return false;
  }

  /// Threads launched in the group that the program no longer has: they never arrive. Unknown for warps.
  std::uint32_t vanished(const std::vector<std::uint32_t>& members) const {
    if (kind() == BarrierKind::Warp) return 0;
    const ThreadPlace& mine = thread(participants_.front().thread).place;
    std::uint32_t launched = 0;
    for (const BlockSize& block : draft_.program().blocks) {
      if (block.gpu != mine.gpu) continue;
      const bool has_member = std::any_of(members.begin(), members.end(),
                                          [&](std::uint32_t t) { return thread(t).place.block == block.block; });
      if (has_member || kind() == BarrierKind::Grid) launched += block.threads;
    }
    const auto present = static_cast<std::uint32_t>(members.size());
    return launched > present ? launched - present : 0;
  }

  /// Decides who must arrive; false when the counts that the threads give make no instance possible.
  bool find_required() {
    for (std::uint32_t t = 0; t < draft_.program().threads.size(); ++t) {
      if (is_member(t)) required_.push_back(t);
    }
    vanished_ = vanished(required_);
    const auto everyone = static_cast<std::uint32_t>(required_.size()) + vanished_;
    std::optional<std::uint32_t> count;
    for (const Participant& participant : participants_) {
      for (const EventId e : participant.events) {
        const std::uint32_t given = barrier(e).count.value_or(everyone);
        if (count && *count != given) {
          report_never_completes(
              fmt::format("{} is used with different thread counts ({} and {})", name(), *count, given));
          return false;
        }
        count = given;
      }
    }
    if (count == everyone) return true;
    if (count != participants_.size()) {
      report_never_completes(
          fmt::format("{} waits for {} threads, but {} use it", name(), *count, participants_.size()));
      return false;
    }
    required_.clear();
    vanished_ = 0;
    for (const Participant& participant : participants_) required_.push_back(participant.thread);
    return true;
  }

  std::string name() const {
    switch (kind()) {
      case BarrierKind::Block: return fmt::format("barrier {} of block {}", std::get<1>(key_), std::get<3>(key_));
      case BarrierKind::Cluster: return fmt::format("the barrier of cluster {}", std::get<3>(key_));
      case BarrierKind::Grid: return "the grid barrier";
      case BarrierKind::Warp:
        return fmt::format("the barrier of warp {} of block {}", std::get<4>(key_), std::get<3>(key_));
    }
    return "the barrier";
  }

  NodeId someone_arrives(std::size_t k) {
    NodeId some = ValueGraph::kFalse;
    for (const Participant& participant : participants_) {
      if (k < participant.arrives.size()) some = graph_.values.disjunction(some, participant.arrives[k]);
    }
    return some;
  }

  NodeId all_arrive(std::size_t k) {
    NodeId all = vanished_ == 0 ? ValueGraph::kTrue : ValueGraph::kFalse;
    for (const std::uint32_t t : required_) {
      const auto found = std::find_if(participants_.begin(), participants_.end(),
                                      [t](const Participant& participant) { return participant.thread == t; });
      const bool can_arrive = found != participants_.end() && k < found->arrives.size();
      all = graph_.values.conjunction(all, can_arrive ? found->arrives[k] : ValueGraph::kFalse);
    }
    return all;
  }

  void report(NodeId condition, std::string message) {
    if (condition == ValueGraph::kFalse) return;
    const Event& first = graph_.events[participants_.front().events.front()];
    graph_.incidents.push_back(
        {Incident::Kind::BarrierDivergence, condition, first.thread, first.span, std::move(message)});
  }

  void report_never_completes(std::string message) { report(someone_arrives(0), std::move(message)); }

  void report_divergence(std::size_t instance_count) {
    ValueGraph& values = graph_.values;
    NodeId diverges = ValueGraph::kFalse;
    for (std::size_t k = 0; k < instance_count; ++k) {
      const NodeId some = someone_arrives(k);
      diverges = values.disjunction(diverges, values.conjunction(some, values.negation(all_arrive(k))));
    }
    if (vanished_ > 0) {
      report(diverges, fmt::format("{} is not reached by {} of the {} threads that must reach it", name(), vanished_,
                                   required_.size() + vanished_));
    } else {
      report(diverges, fmt::format("{} is not reached by every thread that must reach it{}", name(), absent()));
    }
  }

  /// ": P1, P2 never do", for the threads that cannot arrive at all.
  std::string absent() const {
    std::string names;
    for (const std::uint32_t t : required_) {
      const bool arrives = std::any_of(participants_.begin(), participants_.end(),
                                       [t](const Participant& participant) { return participant.thread == t; });
      if (!arrives) names += (names.empty() ? ": " : ", ") + thread(t).name;
    }
    if (names.empty()) return names;
    return names + (names.find(',') == std::string::npos ? " never does" : " never do");
  }

  void synchronise(const std::vector<std::vector<Arrival>>& instances) {
    // Pairs that meet in several instances: their conditions are alternatives.
    std::map<std::pair<EventId, EventId>, NodeId> alternatives;
    for (const std::vector<Arrival>& instance : instances) {
      for (const Arrival& from : instance) {
        for (const Arrival& to : instance) {
          if (from.thread == to.thread || barrier(to.event).arrive_only) continue;
          const NodeId condition = graph_.values.conjunction(from.condition, to.condition);
          if (from.is_only || to.is_only) {
            add_pair(graph_, BaseRelation::BarrierSync, from.event, to.event, condition);
          } else {
            NodeId& known = alternatives.try_emplace({from.event, to.event}, ValueGraph::kFalse).first->second;
            known = graph_.values.disjunction(known, condition);
          }
        }
      }
    }
    for (const auto& [pair, condition] : alternatives) {
      add_pair(graph_, BaseRelation::BarrierSync, pair.first, pair.second, condition);
    }
  }

  Draft& draft_;
  EventGraph& graph_;
  BarrierKey key_;
  std::vector<Participant> participants_;
  std::vector<std::uint32_t> required_;  ///< threads of the program that must arrive at every instance
  std::uint32_t vanished_ = 0;           ///< others that must and never do
};

BarrierKey key_of(const Barrier& barrier, const ThreadPlace& place) {
  switch (barrier.kind) {
    case BarrierKind::Block: return {barrier.kind, barrier.id, place.gpu, place.block, 0, 0};
    case BarrierKind::Warp: return {barrier.kind, 0, place.gpu, place.block, place.warp, barrier.mask};
    case BarrierKind::Cluster: return {barrier.kind, 0, place.gpu, place.cluster, 0, 0};
    case BarrierKind::Grid: return {barrier.kind, 0, place.gpu, 0, 0, 0};
  }
  return {};
}

}  // namespace

void fill_barriers(Draft& draft) {
  std::map<BarrierKey, std::vector<Participant>> groups;
  for (EventId e = 0; e < draft.graph.size(); ++e) {
    const Event& event = draft.graph.events[e];
    if (event.kind != EventKind::Barrier) continue;
    const Thread& thread = draft.program().threads[event.thread];
    const auto& barrier = std::get<Barrier>(thread.code[event.instruction].operation);
    std::vector<Participant>& participants = groups[key_of(barrier, thread.place)];
    if (participants.empty() || participants.back().thread != event.thread) participants.push_back({event.thread, {}});
    participants.back().events.push_back(e);
  }
  for (auto& [key, participants] : groups) BarrierGroup(draft, key, std::move(participants)).fill();
}

}  // namespace ambit::events
