#include "model/events/barrier_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace ambit::events {
namespace {

constexpr Value kWarpSize = 32;

}  // namespace

const Barrier& barrier_of(const EventGraph& graph, EventId e) {
  const Event& event = graph.events[e];
  return std::get<Barrier>(graph.program->threads[event.thread].code[event.instruction].operation);
}

BarrierGroup::BarrierGroup(Draft& draft, const BarrierKey& key, std::optional<Value> resource,
                           std::vector<Participant> participants)
    : draft_(&draft), key_(key), resource_(resource), participants_(std::move(participants)) {
  find_required();
}

// ---- threads that must arrive ----

bool BarrierGroup::uses(std::uint32_t t) const {
  return std::ranges::any_of(participants_, [t](const Participant& one) { return one.thread == t; });
}

bool BarrierGroup::is_member(std::uint32_t t) const {
  const ThreadPlace& mine = place();
  const ThreadPlace& other = thread(t).place;
  switch (key_.kind) {
    case BarrierKind::Block: return same_instance(mine, other, is_per_gpu() ? Scope::Device : Scope::Block);
    case BarrierKind::Cluster: return same_instance(mine, other, Scope::Cluster);
    case BarrierKind::Grid: return is_boundary() ? uses(t) : same_instance(mine, other, Scope::Device);
    case BarrierKind::Warp: {
      const bool is_named = ((key_.mask >> (static_cast<unsigned>(other.lane) % 32U)) & 1U) != 0;
      return same_instance(mine, other, Scope::Block) && mine.warp == other.warp && is_named;
    }
  }
  return false;
}

/// Returns the number of launched threads of the group that the program does not contain. These threads never arrive at
/// the barrier. For warps, the number is unknown.
std::uint32_t BarrierGroup::find_vanished() const {
  if (key_.kind == BarrierKind::Warp || is_boundary()) return 0;
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

/// Returns whether a thread may arrive without waiting and then arrive again, so that one phase may have both arrivals.
/// For a cluster's barrier, a message reports two such arrivals as misuse.
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
  release_ = find_release(all_expect);
  if (is_joint && release_ == Release::WholeWarps && take_whole_warps(*all_expect)) return;
  if (is_joint && *all_expect == everyone_) return;
  vanished_ = 0;
  required_.clear();
  for (const Participant& participant : participants_) required_.push_back(participant.thread);
  const auto users = static_cast<Value>(participants_.size());
  if (is_joint && *all_expect == users) {
    release_ = Release::None;
    return;
  }
  kind_ = is_joint && (*all_expect > users || *all_expect < 1) ? Kind::Hopeless : Kind::Counted;
}

BarrierGroup::Release BarrierGroup::find_release(std::optional<Value> all_expect) const {
  bool has_count = false;
  for (const Participant& participant : participants_) {
    has_count = has_count || std::ranges::any_of(participant.uses, [&](const Participant::Use& use) {
                  return barrier(use.event).count.has_value();
                });
  }
  if (!has_count) return key_.kind == BarrierKind::Grid ? Release::NotLeaders : Release::Exited;
  const bool is_in_warps = all_expect && *all_expect > 0 && *all_expect % kWarpSize == 0;
  return is_in_warps && key_.kind == BarrierKind::Block && !is_per_gpu() ? Release::WholeWarps : Release::None;
}

/// Accepts the count if it equals the number of warps that use the barrier. Then each phase needs an arrival of each of
/// these warps. If a warp arrives, all its threads that have not exited arrive.
bool BarrierGroup::take_whole_warps(Value count) {
  std::set<int> warps;
  for (const Participant& participant : participants_) warps.insert(thread(participant.thread).place.warp);
  if (count != static_cast<Value>(warps.size()) * kWarpSize) return false;
  vanished_ = 0;
  std::erase_if(required_, [&](std::uint32_t t) { return !warps.contains(thread(t).place.warp); });
  return true;
}

std::vector<std::uint32_t> BarrierGroup::released() const {
  switch (release_) {
    case Release::None: return {};
    case Release::Exited:
    case Release::NotLeaders: return required_;
    case Release::WholeWarps: break;
  }
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t t = 0; t < draft_->program().threads.size(); ++t) {
    const bool is_mate = std::ranges::any_of(participants_, [&](const Participant& participant) {
      const ThreadPlace& user = thread(participant.thread).place;
      return same_instance(user, thread(t).place, Scope::Block) && user.warp == thread(t).place.warp;
    });
    if (is_mate) lanes.push_back(t);
  }
  return lanes;
}

bool BarrierGroup::is_leader(std::uint32_t t) const {
  return std::ranges::none_of(required_, [&](std::uint32_t other) {
    const ThreadPlace& mine = thread(t).place;
    const ThreadPlace& place = thread(other).place;
    return same_instance(mine, place, Scope::Block) &&
           std::pair(place.warp, place.lane) < std::pair(mine.warp, mine.lane);
  });
}

bool BarrierGroup::needs_vanished() const {
  if (vanished_ == 0 || release_ == Release::Exited) return false;
  if (release_ != Release::NotLeaders) return true;
  return std::ranges::any_of(draft_->program().blocks, [&](const BlockSize& block) {
    if (block.gpu != place().gpu || block.threads == 0) return false;
    const auto is_in_block = [&](std::uint32_t t) { return thread(t).place.block == block.block; };
    const auto present = std::ranges::count_if(required_, is_in_block);
    if (present == static_cast<std::ptrdiff_t>(block.threads)) return false;
    return std::ranges::none_of(required_, [&](std::uint32_t t) {
      return is_in_block(t) && thread(t).place.warp == 0 && thread(t).place.lane == 0;
    });
  });
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

void BarrierGroup::report_divergence(NodeId condition, const std::vector<std::uint32_t>& missing) const {
  if (const EventId at = first_wait(); at != kNoEvent) report(condition, at, divergence(missing));
}

void BarrierGroup::report_passing(NodeId condition, const std::vector<std::uint32_t>& threads) const {
  const EventId at = first_wait();
  if (at == kNoEvent || threads.empty()) return;
  const bool is_one = threads.size() == 1;
  report(
      condition, at,
      fmt::format("{} is in conditional code: {} of the {} threads {} it and run code that the others run after it: {}",
                  name(), threads.size(), std::max<std::size_t>(everyone_, required_.size()), is_one ? "skips" : "skip",
                  names_of(threads)));
}

void BarrierGroup::remark_exits(const std::vector<std::uint32_t>& threads) const {
  const std::size_t gone = threads.size() + vanished_;
  const EventId at = first_wait();
  if (gone == 0 || at == kNoEvent || key_.kind == BarrierKind::Cluster) return;
  const std::string_view why = key_.kind == BarrierKind::Grid
                                   ? "cooperative groups require every thread of the grid to take part"
                                   : "CUDA promises this since compute capability 7.0";
  const std::string names = threads.empty() ? "" : fmt::format(" ({})", names_of(threads));
  Remark remark{
      draft_->graph.events[at].span,
      fmt::format("{} completes without {} of the {} threads, which {} exited{}: {}", name(), gone,
                  std::max<std::size_t>(everyone_, required_.size()), gone == 1 ? "has" : "have", names, why)};
  draft_->graph.remarks.push_back(std::move(remark));
}

/// Returns the first event that waits at the barrier.
EventId BarrierGroup::first_wait() const {
  for (const Participant& participant : participants_) {
    for (const Participant::Use& use : participant.uses) {
      if (!barrier(use.event).arrive_only) return use.event;
    }
  }
  return kNoEvent;
}

std::string BarrierGroup::divergence(const std::vector<std::uint32_t>& missing) const {
  if (kind_ == Kind::Joint) {
    const std::size_t gone = needs_vanished() ? vanished_ : 0;
    if (missing.empty() && gone == 0) {
      return fmt::format("{} is not reached by every thread that must reach it", name());
    }
    const std::size_t everyone = std::max<std::size_t>(everyone_, required_.size());
    const std::string names =
        missing.empty() ? "" : fmt::format(": {} never {}", names_of(missing), missing.size() == 1 ? "does" : "do");
    return fmt::format("{} is not reached by {} of the {} threads that must reach it{}", name(), missing.size() + gone,
                       everyone, names);
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

std::string BarrierGroup::names_of(const std::vector<std::uint32_t>& threads) const {
  constexpr std::size_t kMost = 8;
  std::string names;
  for (std::size_t i = 0; i < threads.size() && i < kMost; ++i) {
    names += (i == 0 ? "" : ", ") + thread(threads[i]).name;
  }
  if (threads.size() > kMost) names += fmt::format(" and {} more", threads.size() - kMost);
  return names;
}

}  // namespace ambit::events
