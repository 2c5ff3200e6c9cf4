// Finds which arrivals share a phase, which threads wait forever, and syncbar (definitions.md 3.2, 4.3 (iii)). Each
// arrival of a phase synchronises with the events by which the other threads wait for that phase. bar.sync is both an
// arrival and a wait, bar.arrive is only an arrival, barrier.cluster.arrive is an arrival, and barrier.cluster.wait is
// a wait. If a thread waits for a phase that never completes, the barrier diverges, and the thread has no later events.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "model/events/barrier_system.h"
#include "model/events/conditional.h"
#include "model/events/exchanges.h"

namespace ambit::events {
namespace {

/// A block has 16 barriers (PTX ISA, bar). If a barrier's number is unknown, it may be any number from 0 to 15.
constexpr Value kBarrierResources = 16;

BarrierKey key_of(const Barrier& barrier, const ThreadPlace& place, const Mappings& mappings) {
  switch (barrier.kind) {
    case BarrierKind::Block:
      return {barrier.kind, barrier.id, place.gpu, mappings.barriers_per_gpu ? 0 : place.block, 0, 0};
    case BarrierKind::Warp: return {barrier.kind, 0, place.gpu, place.block, place.warp, barrier.mask};
    case BarrierKind::Cluster: return {barrier.kind, 0, place.gpu, place.cluster, 0, 0};
    case BarrierKind::Grid: return {barrier.kind, barrier.id, barrier.id == 0 ? place.gpu : 0, 0, 0, 0};
  }
  return {};
}

/// Assigns the events with one key to barriers by the values of their resources.
class ResourceSplitter {
 public:
  explicit ResourceSplitter(Draft& draft) : draft_(draft) {}

  void add(EventId e) {
    const std::uint32_t thread = draft_.graph.events[e].thread;
    const bool has_resource = barrier_of(draft_.graph, e).resource.has_value();
    has_resources_ = has_resources_ || has_resource;
    const NodeId resource = has_resource ? draft_.notes[e].resource : ValueGraph::kFalse;  // 0 if absent
    if (draft_.graph.values.is_constant(resource)) {
      add_use(draft_.graph.values[resource].constant, thread, {e, ValueGraph::kTrue});
      return;
    }
    ValueGraph& values = draft_.graph.values;
    for (const Value value : possible_values(e, resource)) {
      const NodeId is_value = values.equal(resource, values.constant(value, kLongLong), kLongLong);
      const NodeId is_here = values.given(is_value, draft_.graph.events[e].guard);
      if (is_here != ValueGraph::kFalse) add_use(value, thread, {e, is_here});
    }
  }

  void add_groups(const BarrierKey& key, BarrierSystem& system) {
    for (auto& [resource, participants] : by_resource_) {
      const auto named = has_resources_ ? std::optional<Value>(resource) : std::nullopt;
      system.groups.emplace_back(draft_, key, named, std::move(participants));
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
                                      "the number of the barrier can be outside 0 to 15"});
    draft_.incident_positions.push_back(e);
    return found;
  }

  /// Adds a use. All uses of one thread must be added before the uses of the next thread.
  void add_use(Value resource, std::uint32_t thread, Participant::Use use) {
    std::vector<Participant>& participants = by_resource_[resource];
    if (participants.empty() || participants.back().thread != thread) participants.push_back({.thread = thread});
    participants.back().uses.push_back(use);
  }

  Draft& draft_;
  std::map<Value, std::vector<Participant>> by_resource_;
  bool has_resources_ = false;
};

/// Returns all barriers of the program.
BarrierSystem find_barriers(Draft& draft) {
  std::map<BarrierKey, ResourceSplitter> barriers;
  for (EventId e = 0; e < draft.graph.size(); ++e) {
    const Event& event = draft.graph.events[e];
    if (event.kind != EventKind::Barrier) continue;
    const ThreadPlace& place = draft.program().threads[event.thread].place;
    const BarrierKey key = key_of(barrier_of(draft.graph, e), place, draft.graph.options.mappings);
    barriers.try_emplace(key, draft).first->second.add(e);
  }
  BarrierSystem system;
  for (auto& [key, barrier] : barriers) barrier.add_groups(key, system);
  std::map<EventId, BarrierUse> uses;
  for (std::size_t g = 0; g < system.groups.size(); ++g) {
    for (const Participant& participant : system.groups[g].participants()) {
      for (const Participant::Use& use : participant.uses) {
        const auto [known, is_new] = uses.try_emplace(use.event, BarrierUse{use.event, participant.thread});
        known->second.places.push_back({g, use.condition});
      }
    }
  }
  for (auto& [event, use] : uses) system.uses.push_back(std::move(use));
  return system;
}

/// Returns whether some phase of the barrier may complete because a thread has exited.
bool may_wait_for_exits(const Draft& draft, const BarrierGroup& group) {
  if (group.release() == BarrierGroup::Release::None) return false;
  std::size_t most = 0;
  std::map<std::uint32_t, std::size_t> certain;  // number of unconditional arrivals of each thread
  for (const Participant& participant : group.participants()) {
    most = std::max(most, participant.uses.size());
    certain[participant.thread] =
        static_cast<std::size_t>(std::ranges::count_if(participant.uses, [&](const Participant::Use& use) {
          return use.condition == ValueGraph::kTrue && draft.graph.events[use.event].guard == ValueGraph::kTrue;
        }));
  }
  return std::ranges::any_of(group.released(), [&](std::uint32_t thread) { return certain[thread] < most; });
}

/// A barrier that may wait for a thread's exit comes after all barriers that the thread uses, because a thread exits
/// after its last barrier.
void add_uses_before_exits(const Draft& draft, const BarrierSystem& system,
                           const std::map<std::uint32_t, std::set<std::size_t>>& used, Relation& before) {
  for (std::size_t g = 0; g < system.groups.size(); ++g) {
    if (!may_wait_for_exits(draft, system.groups[g])) continue;
    for (const std::uint32_t thread : system.groups[g].released()) {
      const auto of_thread = used.find(thread);
      if (of_thread == used.end()) continue;
      for (const std::size_t other : of_thread->second) {
        if (other != g) before.insert(static_cast<EventId>(other), static_cast<EventId>(g));
      }
    }
  }
}

/// Returns, for each barrier, the barriers that some thread uses before this barrier. If a barrier's number is
/// computed, each possible barrier counts as used both before and after the other possible barriers.
Relation uses_before(const Draft& draft, const BarrierSystem& system) {
  Relation result(system.groups.size());
  std::map<std::uint32_t, std::set<std::size_t>> used;  // for each thread, the barriers that it has used so far
  for (const BarrierUse& use : system.uses) {
    std::set<std::size_t>& before = used[use.thread];
    for (const BarrierUse::Place& place : use.places) {
      for (const std::size_t group : before)
        result.insert(static_cast<EventId>(group), static_cast<EventId>(place.group));
      for (const BarrierUse::Place& other : use.places) {
        result.insert(static_cast<EventId>(other.group), static_cast<EventId>(place.group));
      }
    }
    for (const BarrierUse::Place& place : use.places) before.insert(place.group);
  }
  add_uses_before_exits(draft, system, used, result);
  return transitive_closure(std::move(result));
}

/// Divides the barriers into ordered parts. Each thread uses the barriers of a part before the barriers of later parts.
/// Within a part, threads may use the barriers in different orders, or several times.
std::vector<std::vector<std::size_t>> parts_in_order(const Draft& draft, const BarrierSystem& system) {
  const Relation before = uses_before(draft, system);
  const auto size = static_cast<EventId>(system.groups.size());
  // The key of a part: the number of barriers before the part, and the part's first barrier.
  std::map<std::pair<std::size_t, EventId>, std::vector<std::size_t>> parts;
  for (EventId g = 0; g < size; ++g) {
    std::size_t earlier = 0;
    EventId first = g;
    for (EventId other = size; other-- > 0;) {
      if (!before.contains(other, g)) continue;
      ++earlier;
      if (before.contains(g, other) && other < first) first = other;
    }
    parts[{earlier, first}].push_back(g);
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [key, part] : parts) result.push_back(std::move(part));
  return result;
}

/// Returns those barriers of `whole` for which `is_part` is true, together with their numbers in `whole`.
template <typename IsPart>
std::pair<BarrierSystem, std::vector<std::size_t>> part_of(const BarrierSystem& whole, IsPart is_part) {
  BarrierSystem part;
  std::vector<std::size_t> numbers;
  std::map<std::size_t, std::size_t> new_number;
  for (std::size_t g = 0; g < whole.groups.size(); ++g) {
    if (!is_part(g)) continue;
    new_number.emplace(g, numbers.size());
    numbers.push_back(g);
    part.groups.push_back(whole.groups[g]);
  }
  for (BarrierUse use : whole.uses) {
    if (!is_part(use.places.front().group)) continue;
    for (BarrierUse::Place& place : use.places) place.group = new_number.at(place.group);
    part.uses.push_back(std::move(use));
  }
  return {std::move(part), std::move(numbers)};
}

void add_fates(BarrierFates part, const std::vector<std::size_t>& numbers, BarrierFates& all) {
  all.stays.insert(all.stays.end(), part.stays.begin(), part.stays.end());
  std::move(part.waits.begin(), part.waits.end(), std::back_inserter(all.waits));
  for (auto& [group, diverges] : part.divergences) all.divergences.emplace(numbers[group], std::move(diverges));
  std::move(part.gatherings.begin(), part.gatherings.end(), std::back_inserter(all.gatherings));
}

BarrierFates meet_part(Draft& draft, const BarrierSystem& part) {
  const bool has_counted = std::ranges::any_of(
      part.groups, [](const BarrierGroup& group) { return group.kind() == BarrierGroup::Kind::Counted; });
  if (!has_counted) return meet_jointly(draft, part);
  return is_quorum(draft.graph, part) ? meet_in_quorum(draft, part) : meet_in_every_order(draft, part);
}

/// Removes the later barriers and the exit of a thread that waits forever.
void keep_from_later_barriers(Draft& draft, const BarrierSystem& system, const std::vector<Stay>& stays) {
  ValueGraph& values = draft.graph.values;
  for (const Stay& stay : stays) {
    const NodeId goes_on = values.negation(stay.stays);
    for (const BarrierUse& use : system.uses) {
      if (use.event <= stay.event || use.thread != draft.graph.events[stay.event].thread) continue;
      NodeId& guard = draft.graph.events[use.event].guard;
      guard = values.conjunction(guard, goes_on);
    }
    NodeId& end = draft.ends[draft.graph.events[stay.event].thread];
    end = values.conjunction(end, goes_on);
  }
}

/// Handles the parts in the order in which threads reach them. An earlier part affects a later part only through
/// threads that wait forever in the earlier part. All other threads can leave the earlier part before any thread
/// reaches the later part.
BarrierFates meet(Draft& draft, const BarrierSystem& system) {
  const bool has_counted = std::ranges::any_of(
      system.groups, [](const BarrierGroup& group) { return group.kind() == BarrierGroup::Kind::Counted; });
  if (!has_counted) return meet_jointly(draft, system);
  BarrierFates all;
  for (const std::vector<std::size_t>& groups : parts_in_order(draft, system)) {
    const auto [part, numbers] = part_of(system, [&](std::size_t g) { return std::ranges::binary_search(groups, g); });
    BarrierFates fates = meet_part(draft, part);
    keep_from_later_barriers(draft, system, fates.stays);
    add_fates(std::move(fates), numbers, all);
  }
  std::ranges::sort(all.stays, {}, &Stay::event);
  std::ranges::sort(all.waits, {}, &BarrierWait::event);
  return all;
}

/// Adds each pair in Draft::meetings to the pair's relation. If two events can meet in several phases, the condition of
/// the pair is a disjunction.
void add_meetings(Draft& draft) {
  std::map<std::tuple<BaseRelation, EventId, EventId>, NodeId> alternatives;
  for (const Draft::Meeting& meeting : draft.meetings) {
    if (meeting.condition == ValueGraph::kTrue) {  // the pair has no other meeting
      add_pair(draft.graph, meeting.relation, meeting.from, meeting.to, meeting.condition);
      continue;
    }
    const auto key = std::tuple(meeting.relation, meeting.from, meeting.to);
    NodeId& known = alternatives.try_emplace(key, ValueGraph::kFalse).first->second;
    known = draft.graph.values.disjunction(known, meeting.condition);
  }
  for (const auto& [pair, condition] : alternatives) {
    add_pair(draft.graph, std::get<0>(pair), std::get<1>(pair), std::get<2>(pair), condition);
  }
}

}  // namespace

std::optional<Diagnostic> settle_barriers(Draft& draft) {
  EventGraph& graph = draft.graph;
  for (EventId e = 0; e < graph.size(); ++e) draft.notes[e].own_guard = graph.events[e].guard;
  const BarrierSystem system = find_barriers(draft);
  BarrierFates fates = meet(draft, system);
  end_at_stays(draft, fates.stays);
  for (const Stay& stay : fates.stays) graph.stuck = graph.values.disjunction(graph.stuck, stay.stays);
  for (const auto& [group, diverges] : fates.divergences) {
    system.groups[group].report_divergence(diverges.condition, diverges.missing);
  }
  graph.waits = std::move(fates.waits);
  if (auto error = settle_exchanges(draft, fates.gatherings)) return error;
  draft.has_false_joint_wait = !joint_waits_hold(draft, fates.gatherings);
  return find_circle(draft);
}

void fill_barriers(Draft& draft) { add_meetings(draft); }

}  // namespace ambit::events
