// Barrier instances (definitions.md 3.2, 4.3 (iii)): the arrivals of a barrier are grouped into instances, the k-th one
// of each thread belonging to instance k. Every arrival of an instance synchronises with the event by which every other
// thread waits for it: bar.sync is both arrival and wait, bar.arrive is an arrival only, barrier.cluster.arrive and
// barrier.cluster.wait are one each. An instance that some thread waits for and another that must does not reach is a
// divergence.

#include <map>
#include <set>
#include <utility>

#include "model/events/barrier_group.h"

namespace ambit::events {
namespace {

/// A block has 16 barriers (PTX ISA, bar): the possible values of an unknown resource.
constexpr Value kBarrierResources = 16;

BarrierKey key_of(const Barrier& barrier, const ThreadPlace& place, const Mappings& mappings) {
  switch (barrier.kind) {
    case BarrierKind::Block:
      return {barrier.kind, barrier.id, place.gpu, mappings.barriers_per_gpu ? 0 : place.block, 0, 0};
    case BarrierKind::Warp: return {barrier.kind, 0, place.gpu, place.block, place.warp, barrier.mask};
    case BarrierKind::Cluster: return {barrier.kind, 0, place.gpu, place.cluster, 0, 0};
    case BarrierKind::Grid: return {barrier.kind, 0, place.gpu, 0, 0, 0};
  }
  return {};
}

/// Splits the events of one key by the values of their resources.
class ResourceSplitter {
 public:
  explicit ResourceSplitter(Draft& draft) : draft_(draft) {}

  void add(EventId e) {
    const std::uint32_t thread = draft_.graph.events[e].thread;
    const bool has_resource = barrier_of(draft_.graph, e).resource.has_value();
    has_resources_ = has_resources_ || has_resource;
    const NodeId resource = has_resource ? draft_.notes[e].resource : ValueGraph::kFalse;  // absent: 0
    if (draft_.graph.values.is_constant(resource)) {
      add_use(draft_.graph.values[resource].constant, thread, {e, ValueGraph::kTrue});
      return;
    }
    ValueGraph& values = draft_.graph.values;
    for (const Value value : possible_values(e, resource)) {
      const NodeId is_value = values.equal(resource, values.constant(value, kLongLong), kLongLong);
      add_use(value, thread, {e, values.given(is_value, draft_.graph.events[e].guard)});
    }
  }

  void fill(const BarrierKey& key, Meetings& meetings) {
    for (auto& [resource, participants] : by_resource_) {
      const auto named = has_resources_ ? std::optional<Value>(resource) : std::nullopt;
      BarrierGroup(draft_, key, named, std::move(participants)).fill(meetings);
    }
  }

 private:
  std::set<Value> possible_values(EventId e, NodeId resource) {
    const Event& event = draft_.graph.events[e];
    std::set<Value> found;
    const bool is_known = draft_.static_values.for_each_combination(
        draft_.graph.values, draft_.graph.events, std::array{resource, event.guard}, [&](std::span<const Value> of) {
          if (of[1] != 0) found.insert(of[0]);
          return true;
        });
    if (is_known) return found;
    found.clear();
    for (Value value = 0; value < kBarrierResources; ++value) found.insert(value);
    ValueGraph& values = draft_.graph.values;
    const NodeId limit = values.constant(kBarrierResources, kUnsignedLongLong);
    const NodeId exists = values.make(Op::Less, kUnsignedLongLong, std::array{resource, limit});
    const NodeId outside = values.conjunction(event.guard, values.negation(exists));
    if (outside == ValueGraph::kFalse) return found;
    draft_.graph.incidents.push_back({Incident::Kind::OutOfBounds, outside, event.thread, event.span,
                                      "the number of the barrier can be other than 0 to 15"});
    return found;
  }

  /// Events come thread by thread.
  void add_use(Value resource, std::uint32_t thread, Participant::Use use) {
    std::vector<Participant>& participants = by_resource_[resource];
    if (participants.empty() || participants.back().thread != thread) participants.push_back({.thread = thread});
    participants.back().uses.push_back(use);
  }

  Draft& draft_;
  std::map<Value, std::vector<Participant>> by_resource_;
  bool has_resources_ = false;
};

}  // namespace

void fill_barriers(Draft& draft) {
  std::map<BarrierKey, ResourceSplitter> barriers;
  for (EventId e = 0; e < draft.graph.size(); ++e) {
    const Event& event = draft.graph.events[e];
    if (event.kind != EventKind::Barrier) continue;
    const ThreadPlace& place = draft.program().threads[event.thread].place;
    const BarrierKey key = key_of(barrier_of(draft.graph, e), place, draft.graph.options.mappings);
    barriers.try_emplace(key, draft).first->second.add(e);
  }
  if (barriers.empty()) return;
  Meetings meetings(draft.graph);
  for (auto& [key, barrier] : barriers) barrier.fill(key, meetings);
  meetings.finish();
}

}  // namespace ambit::events
