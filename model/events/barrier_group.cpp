#include "model/events/barrier_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace ambit::events {

const Barrier& barrier_of(const EventGraph& graph, EventId e) {
  const Event& event = graph.events[e];
  return std::get<Barrier>(graph.program->threads[event.thread].code[event.instruction].operation);
}

BarrierGroup::BarrierGroup(Draft& draft, const BarrierKey& key, std::optional<Value> resource,
                           std::vector<Participant> participants)
    : draft_(&draft), key_(key), resource_(resource), participants_(std::move(participants)) {
  find_required();
}

// ---- who must arrive ----

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
  for (const BlockSize& block : draft_->program().blocks) {
    if (block.gpu != place().gpu) continue;
    const bool has_member = std::any_of(required_.begin(), required_.end(),
                                        [&](std::uint32_t t) { return thread(t).place.block == block.block; });
    if (has_member || key_.kind == BarrierKind::Grid || is_per_gpu()) launched += block.threads;
  }
  const auto present = static_cast<std::uint32_t>(required_.size());
  return launched > present ? launched - present : 0;
}

/// Whether a thread arrives without waiting and later again: both arrivals may be of one phase. At the barrier of a
/// cluster that is misuse, which is reported.
bool BarrierGroup::can_arrive_twice() const {
  if (key_.kind == BarrierKind::Cluster) return false;
  return std::any_of(participants_.begin(), participants_.end(), [&](const Participant& participant) {
    return std::any_of(participant.uses.begin(), participant.uses.end() - 1,
                       [&](const Participant::Use& use) { return barrier(use.event).arrive_only; });
  });
}

void BarrierGroup::find_required() {
  for (std::uint32_t t = 0; t < draft_->program().threads.size(); ++t) {
    if (is_member(t)) required_.push_back(t);
  }
  vanished_ = find_vanished();
  everyone_ = static_cast<std::uint32_t>(required_.size()) + vanished_;
  const std::optional<Value> all_expect = count();
  const bool is_joint = all_expect && !can_arrive_twice();
  if (is_joint && *all_expect == everyone_) return;
  vanished_ = 0;
  required_.clear();
  for (const Participant& participant : participants_) required_.push_back(participant.thread);
  const auto users = static_cast<Value>(participants_.size());
  if (is_joint && *all_expect == users) return;
  kind_ = is_joint && (*all_expect > users || *all_expect < 1) ? Kind::Hopeless : Kind::Counted;
}

bool BarrierGroup::counts_arrival_of(std::uint32_t thread) const {
  return std::find(required_.begin(), required_.end(), thread) != required_.end();
}

NodeId BarrierGroup::count_of(EventId e) const {
  return barrier(e).count ? draft_->notes[e].count : values().constant(everyone_, kLongLong);
}

std::optional<Value> BarrierGroup::count() const {
  std::optional<Value> found = everyone_;
  bool is_first = true;
  for (const Participant& participant : participants_) {
    for (const Participant::Use& use : participant.uses) {
      if (barrier(use.event).wait_only) continue;
      const NodeId count = count_of(use.event);
      if (!values().is_constant(count)) return std::nullopt;
      const Value expected = values()[count].constant;
      if (!std::exchange(is_first, false) && expected != *found) return std::nullopt;
      found = expected;
    }
  }
  return found;
}

std::size_t BarrierGroup::arrivals() const {
  std::size_t sum = 0;
  for (const Participant& participant : participants_) sum += participant.uses.size();
  return sum;
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

void BarrierGroup::report(NodeId condition, EventId at, std::string message) const {
  if (condition == ValueGraph::kFalse) return;
  const Event& event = draft_->graph.events[at];
  draft_->graph.incidents.push_back(
      {Incident::Kind::BarrierDivergence, condition, event.thread, event.span, std::move(message)});
  draft_->incident_positions.push_back(at);
}

void BarrierGroup::report_divergence(NodeId condition) const {
  for (const Participant& participant : participants_) {
    for (const Participant::Use& use : participant.uses) {
      if (!barrier(use.event).arrive_only) return report(condition, use.event, divergence());
    }
  }
}

std::string BarrierGroup::divergence() const {
  if (kind_ == Kind::Joint && vanished_ > 0) {
    return fmt::format("{} is not reached by {} of the {} threads that must reach it", name(), vanished_, everyone_);
  }
  if (kind_ == Kind::Joint) {
    return fmt::format("{} is not reached by every thread that must reach it{}", name(), absent());
  }
  const std::optional<Value> all_expect = count();
  if (kind_ == Kind::Hopeless) {
    return fmt::format("{} waits for {} threads, but {} use it", name(), *all_expect, participants_.size());
  }
  if (all_expect) {
    return fmt::format("a phase of {} has fewer than the {} arrivals that it waits for", name(), *all_expect);
  }
  std::set<Value> counts;
  for (const Participant& participant : participants_) {
    for (const Participant::Use& use : participant.uses) {
      const NodeId count = count_of(use.event);
      if (!values().is_constant(count)) {
        return fmt::format("{} is not reached by as many threads as it waits for", name());
      }
      if (!barrier(use.event).wait_only) counts.insert(values()[count].constant);
    }
  }
  return fmt::format("{} is used with different thread counts ({})", name(), fmt::join(counts, " and "));
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
