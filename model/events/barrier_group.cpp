#include "model/events/barrier_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/events/conditional.h"

namespace ambit::events {
namespace {

NodeId at(const std::vector<NodeId>& by_instance, std::size_t k) {
  return k < by_instance.size() ? by_instance[k] : ValueGraph::kFalse;
}

}  // namespace

const Barrier& barrier_of(const EventGraph& graph, EventId e) {
  const Event& event = graph.events[e];
  return std::get<Barrier>(graph.program->threads[event.thread].code[event.instruction].operation);
}

void Meetings::add(EventId from, EventId to, NodeId condition) {
  if (condition == ValueGraph::kTrue) {  // then there is no other instance
    add_pair(graph_, BaseRelation::BarrierSync, from, to, condition);
  } else if (condition != ValueGraph::kFalse) {
    NodeId& known = alternatives_.try_emplace({from, to}, ValueGraph::kFalse).first->second;
    known = graph_.values.disjunction(known, condition);
  }
}

void Meetings::finish() {
  for (const auto& [pair, condition] : alternatives_) {
    add_pair(graph_, BaseRelation::BarrierSync, pair.first, pair.second, condition);
  }
}

BarrierGroup::BarrierGroup(Draft& draft, const BarrierKey& key, std::optional<Value> resource,
                           std::vector<Participant> participants)
    : draft_(draft), key_(key), resource_(resource), participants_(std::move(participants)) {}

void BarrierGroup::fill(Meetings& meetings) {
  for (Participant& participant : participants_) number(participant);
  find_required();
  for (std::size_t k = 0; k < instances_.size(); ++k) completed_.push_back(completes(k));
  report_divergence();
  meet(meetings);
}

// ---- instances ----

/// With c(k) = "the thread arrived exactly k times so far", its next arrival, if executed, is the one at instance k iff
/// c(k), and its next wait is for instance k iff c(k + 1).
void BarrierGroup::number(Participant& participant) {
  Progress progress;
  for (const Participant::Use& use : participant.uses) {
    if (barrier(use.event).wait_only) {
      wait(participant, use, progress);
    } else {
      arrive(participant, use, progress);
    }
  }
  NodeId at_most = ValueGraph::kFalse;
  for (const NodeId count : progress.exactly) {
    at_most = values().disjunction(at_most, count);
    participant.arrives.push_back(values().negation(at_most));
  }
}

void BarrierGroup::arrive(Participant& participant, const Participant::Use& use, Progress& progress) {
  std::vector<NodeId>& exactly = progress.exactly;
  const bool waits = !barrier(use.event).arrive_only;
  const NodeId happens = values().conjunction(draft_.graph.events[use.event].guard, use.condition);
  for (std::size_t k = progress.lowest; k < exactly.size(); ++k) {
    visit(participant, use, k, exactly[k]);
    if (!waits) continue;
    participant.waits.resize(std::max(participant.waits.size(), k + 1), ValueGraph::kFalse);
    NodeId& waits_here = participant.waits[k];
    waits_here = values().disjunction(waits_here, values().conjunction(happens, exactly[k]));
  }
  if (key_.kind == BarrierKind::Cluster) {
    const NodeId again = values().conjunction(happens, progress.pending);
    if (again != ValueGraph::kFalse) {
      report(
          again, use.event,
          fmt::format("{} arrives again at {} without having waited for it", thread(participant.thread).name, name()));
    }
    const NodeId others = values().conjunction(progress.pending, values().negation(happens));
    progress.pending = waits ? others : values().disjunction(others, happens);
  }
  exactly.push_back(ValueGraph::kFalse);
  for (std::size_t k = exactly.size(); k-- > progress.lowest;) {
    const NodeId before = k > 0 ? values().conjunction(exactly[k - 1], happens) : ValueGraph::kFalse;
    exactly[k] = values().disjunction(values().conjunction(exactly[k], values().negation(happens)), before);
  }
  while (exactly[progress.lowest] == ValueGraph::kFalse) ++progress.lowest;
}

void BarrierGroup::wait(Participant& participant, const Participant::Use& use, Progress& progress) {
  const NodeId happens = values().conjunction(draft_.graph.events[use.event].guard, use.condition);
  const NodeId too_early = values().conjunction(happens, progress.exactly[0]);
  if (too_early != ValueGraph::kFalse) {
    report(too_early, use.event,
           fmt::format("{} waits for {} without having arrived at it", thread(participant.thread).name, name()));
  }
  for (std::size_t k = std::max<std::size_t>(progress.lowest, 1); k < progress.exactly.size(); ++k) {
    visit(participant, use, k - 1, progress.exactly[k]);
    participant.waits.resize(std::max(participant.waits.size(), k), ValueGraph::kFalse);
    NodeId& waits_here = participant.waits[k - 1];
    waits_here = values().disjunction(waits_here, values().conjunction(happens, progress.exactly[k]));
  }
  progress.pending = values().conjunction(progress.pending, values().negation(happens));
}

void BarrierGroup::visit(Participant& participant, const Participant::Use& use, std::size_t k, NodeId condition) {
  condition = values().conjunction(condition, use.condition);
  condition = values().given(condition, draft_.graph.events[use.event].guard);
  if (condition == ValueGraph::kFalse) return;
  if (instances_.size() <= k) instances_.resize(k + 1);
  instances_[k].push_back({use.event, participant.thread, condition});
}

/// Arrivals that order something, with the events of other threads that wait. Where the number of arrivals is not known
/// to be right only complete instances count; the others are reported, and nobody passes them.
void BarrierGroup::meet(Meetings& meetings) {
  for (std::size_t k = 0; k < instances_.size(); ++k) {
    const NodeId passed = needs_all_ ? ValueGraph::kTrue : completed_[k];
    if (passed == ValueGraph::kFalse) continue;
    for (const Visit& from : instances_[k]) {
      if (barrier(from.event).wait_only || barrier(from.event).is_relaxed) continue;
      for (const Visit& to : instances_[k]) {
        if (from.thread == to.thread || barrier(to.event).arrive_only) continue;
        const NodeId both = values().conjunction(from.condition, to.condition);
        meetings.add(from.event, to.event, values().conjunction(passed, both));
      }
    }
  }
}

// ---- completion ----

bool BarrierGroup::is_member(std::uint32_t t) const {
  const ThreadPlace& mine = place();
  const ThreadPlace& other = thread(t).place;
  switch (key_.kind) {
    case BarrierKind::Block: return same_instance(mine, other, is_per_gpu() ? Scope::Device : Scope::Block);
    case BarrierKind::Cluster: return same_instance(mine, other, Scope::Cluster);
    case BarrierKind::Grid: return same_instance(mine, other, Scope::Device);
    case BarrierKind::Warp: {
      const bool is_named = ((key_.mask >> (static_cast<unsigned>(other.lane) % 32U)) & 1U) != 0;
      return same_instance(mine, other, Scope::Block) && mine.warp == other.warp && is_named;
    }
  }
  return false;
}

/// Threads launched in the group that the program no longer has: they never arrive. Unknown for warps.
std::uint32_t BarrierGroup::find_vanished() const {
  if (key_.kind == BarrierKind::Warp) return 0;
  std::uint32_t launched = 0;
  for (const BlockSize& block : draft_.program().blocks) {
    if (block.gpu != place().gpu) continue;
    const bool has_member = std::any_of(required_.begin(), required_.end(),
                                        [&](std::uint32_t t) { return thread(t).place.block == block.block; });
    if (has_member || key_.kind == BarrierKind::Grid || is_per_gpu()) launched += block.threads;
  }
  const auto present = static_cast<std::uint32_t>(required_.size());
  return launched > present ? launched - present : 0;
}

/// Decides who must arrive.
void BarrierGroup::find_required() {
  for (std::uint32_t t = 0; t < draft_.program().threads.size(); ++t) {
    if (is_member(t)) required_.push_back(t);
  }
  vanished_ = find_vanished();
  everyone_ = static_cast<std::uint32_t>(required_.size()) + vanished_;
  counts_ = possible_counts();
  if (counts_.size() == 1 && counts_.front() == everyone_) return;
  needs_all_ = counts_.size() == 1 && counts_.front() == static_cast<Value>(participants_.size());
  vanished_ = 0;
  required_.clear();
  for (const Participant& participant : participants_) required_.push_back(participant.thread);
}

NodeId BarrierGroup::count_of(EventId e) {
  return barrier(e).count ? draft_.notes[e].count : values().constant(everyone_, kLongLong);
}

/// Ascending. A count that is not known is one of 1 to all threads: with any other the instance never completes.
std::vector<Value> BarrierGroup::possible_counts() {
  std::set<Value> counts;
  for (const Participant& participant : participants_) {
    for (const Participant::Use& use : participant.uses) {
      const NodeId count = count_of(use.event);
      if (barrier(use.event).wait_only) continue;
      if (values().is_constant(count)) {
        counts.insert(values()[count].constant);
      } else {
        for (Value c = 1; c <= static_cast<Value>(participants_.size()); ++c) counts.insert(c);
      }
    }
  }
  return {counts.begin(), counts.end()};
}

NodeId BarrierGroup::completes(std::size_t k) {
  if (needs_all_) return all_arrive(k);
  NodeId completes = ValueGraph::kFalse;
  for (const Value count : counts_) {
    const NodeId arrive = exactly_arrive(k, count);
    if (arrive == ValueGraph::kFalse) continue;
    completes = values().disjunction(completes, values().conjunction(arrive, agree(k, count)));
  }
  return completes;
}

NodeId BarrierGroup::all_arrive(std::size_t k) {
  NodeId all = vanished_ == 0 ? ValueGraph::kTrue : ValueGraph::kFalse;
  for (const std::uint32_t t : required_) {
    const auto found = std::find_if(participants_.begin(), participants_.end(),
                                    [t](const Participant& participant) { return participant.thread == t; });
    all = values().conjunction(all, found == participants_.end() ? ValueGraph::kFalse : at(found->arrives, k));
  }
  return all;
}

/// Of the participants, `count` arrive at instance k.
NodeId BarrierGroup::exactly_arrive(std::size_t k, Value count) {
  if (count < 1 || count > static_cast<Value>(participants_.size())) return ValueGraph::kFalse;
  std::vector<NodeId> exactly(static_cast<std::size_t>(count) + 1, ValueGraph::kFalse);
  exactly[0] = ValueGraph::kTrue;
  for (const Participant& participant : participants_) {
    const NodeId arrives = at(participant.arrives, k);
    const NodeId does_not = values().negation(arrives);
    for (std::size_t c = exactly.size(); c-- > 0;) {
      const NodeId one_more = c > 0 ? values().conjunction(exactly[c - 1], arrives) : ValueGraph::kFalse;
      exactly[c] = values().disjunction(values().conjunction(exactly[c], does_not), one_more);
    }
  }
  return exactly.back();
}

/// Every arrival at instance k expects `count` threads.
NodeId BarrierGroup::agree(std::size_t k, Value count) {
  NodeId agree = ValueGraph::kTrue;
  const NodeId wanted = values().constant(count, kLongLong);
  for (const Visit& visit : instances_[k]) {
    if (barrier(visit.event).wait_only) continue;
    const NodeId happens = values().conjunction(draft_.graph.events[visit.event].guard, visit.condition);
    const NodeId expects = values().equal(count_of(visit.event), wanted, kLongLong);
    agree = values().conjunction(agree, values().disjunction(values().negation(happens), expects));
  }
  return agree;
}

// ---- divergence ----

std::string BarrierGroup::name() const {
  const std::string resource = resource_ ? fmt::format(", resource {},", *resource_) : "";
  switch (key_.kind) {
    case BarrierKind::Block:
      return fmt::format("barrier {}{} of {} {}", key_.id, resource, is_per_gpu() ? "gpu" : "block",
                         is_per_gpu() ? key_.gpu : key_.group);
    case BarrierKind::Cluster: return fmt::format("the barrier of cluster {}", key_.group);
    case BarrierKind::Grid: return "the grid barrier";
    case BarrierKind::Warp: return fmt::format("the barrier of warp {} of block {}", key_.warp, key_.group);
  }
  return "the barrier";
}

void BarrierGroup::report(NodeId condition, EventId at, std::string message) {
  const Event& event = draft_.graph.events[at];
  draft_.graph.incidents.push_back(
      {Incident::Kind::BarrierDivergence, condition, event.thread, event.span, std::move(message)});
}

/// A thread waits for an instance that never completes.
void BarrierGroup::report_divergence() {
  NodeId diverges = ValueGraph::kFalse;
  std::optional<EventId> first;
  for (const Participant& participant : participants_) {
    for (const Participant::Use& use : participant.uses) {
      if (!first && !barrier(use.event).arrive_only) first = use.event;
    }
    for (std::size_t k = 0; k < participant.waits.size(); ++k) {
      const NodeId stays = values().conjunction(participant.waits[k], values().negation(at(completed_, k)));
      diverges = values().disjunction(diverges, stays);
    }
  }
  if (diverges != ValueGraph::kFalse) report(diverges, first.value_or(kNoEvent), divergence());
}

std::string BarrierGroup::divergence() const {
  if (needs_all_ && vanished_ > 0) {
    return fmt::format("{} is not reached by {} of the {} threads that must reach it", name(), vanished_, everyone_);
  }
  if (needs_all_) {
    return fmt::format("{} is not reached by every thread that must reach it{}", name(), absent());
  }
  if (counts_.size() == 1) {
    return fmt::format("{} waits for {} threads, but {} use it", name(), counts_.front(), participants_.size());
  }
  const bool are_constant = std::all_of(participants_.begin(), participants_.end(), [&](const Participant& p) {
    return std::all_of(p.uses.begin(), p.uses.end(), [&](const Participant::Use& use) {
      const std::optional<Expr>& count = barrier(use.event).count;
      return !count || count->is_constant();
    });
  });
  if (are_constant) {
    return fmt::format("{} is used with different thread counts ({})", name(), fmt::join(counts_, " and "));
  }
  return fmt::format("{} is not reached by as many threads as it waits for", name());
}

/// ": P1, P2 never do", for the threads that cannot arrive at all.
std::string BarrierGroup::absent() const {
  std::string names;
  for (const std::uint32_t t : required_) {
    const bool arrives = std::any_of(participants_.begin(), participants_.end(),
                                     [t](const Participant& participant) { return participant.thread == t; });
    if (!arrives) names += (names.empty() ? ": " : ", ") + thread(t).name;
  }
  if (names.empty()) return names;
  return names + (names.find(',') == std::string::npos ? " never does" : " never do");
}

}  // namespace ambit::events
