// Barriers (definitions.md 3.2, 4.3 (iii)): which arrivals share a phase, who is kept waiting for ever, and syncbar.
// Every arrival of a phase synchronises with the event by which every other thread waits for that phase: bar.sync is
// both arrival and wait, bar.arrive is an arrival only, barrier.cluster.arrive and barrier.cluster.wait are one each. A
// phase that some thread waits for and that never completes is a divergence; the thread does nothing behind it.

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "model/events/barrier_system.h"
#include "model/events/conditional.h"

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
                                      "the number of the barrier can be other than 0 to 15"});
    draft_.incident_positions.push_back(e);
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

/// All barriers of the program.
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

/// Of each barrier, the number of the first of those that it is linked with by threads that use both, one after the
/// other.
std::vector<std::size_t> find_links(const BarrierSystem& system) {
  std::vector<std::size_t> link(system.groups.size());
  std::iota(link.begin(), link.end(), std::size_t{0});
  std::map<std::uint32_t, std::size_t> of_thread;
  for (const BarrierUse& use : system.uses) {
    for (const BarrierUse::Place& place : use.places) {
      const std::size_t mine = link[of_thread.try_emplace(use.thread, place.group).first->second];
      const std::size_t other = link[place.group];
      std::replace(link.begin(), link.end(), std::max(mine, other), std::min(mine, other));
    }
  }
  return link;
}

/// The barriers of `whole` for which `is_part` holds, and the numbers that they have there.
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
  for (const auto& [group, diverges] : part.divergences) all.divergences.emplace(numbers[group], diverges);
}

/// Barriers that share no threads with counted ones are joint, which is cheaper.
Result<BarrierFates> meet(Draft& draft, const BarrierSystem& system) {
  const std::vector<std::size_t> link = find_links(system);
  std::set<std::size_t> counted;
  for (std::size_t g = 0; g < system.groups.size(); ++g) {
    if (system.groups[g].kind() == BarrierGroup::Kind::Counted) counted.insert(link[g]);
  }
  if (counted.empty()) return meet_jointly(draft, system);
  BarrierFates all;
  const auto [joint, joint_numbers] = part_of(system, [&](std::size_t g) { return !counted.contains(link[g]); });
  add_fates(meet_jointly(draft, joint), joint_numbers, all);
  for (const std::size_t first : counted) {
    const auto [part, numbers] = part_of(system, [&](std::size_t g) { return link[g] == first; });
    Result<BarrierFates> fates = meet_in_every_order(draft, part);
    if (!fates.ok()) return fates.errors();
    add_fates(std::move(fates).value(), numbers, all);
  }
  std::ranges::sort(all.stays, {}, &Stay::event);
  std::ranges::sort(all.waits, {}, &BarrierWait::event);
  return all;
}

/// Two events can meet in several phases, which are alternatives.
void add_meetings(Draft& draft) {
  std::map<std::tuple<BaseRelation, EventId, EventId>, NodeId> alternatives;
  for (const Draft::Meeting& meeting : draft.meetings) {
    if (meeting.condition == ValueGraph::kTrue) {  // then there is no other
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
  Result<BarrierFates> fates = meet(draft, system);
  if (!fates.ok()) return fates.errors().front();
  end_at_stays(draft, fates.value().stays);
  for (const Stay& stay : fates.value().stays) graph.stuck = graph.values.disjunction(graph.stuck, stay.stays);
  for (const auto& [group, diverges] : fates.value().divergences) system.groups[group].report_divergence(diverges);
  graph.waits = std::move(fates).value().waits;
  return find_circle(draft);
}

void fill_barriers(Draft& draft) { add_meetings(draft); }

}  // namespace ambit::events
