#include "core/barrier_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ambit {
namespace {

constexpr std::size_t kWarp = 0;
constexpr std::size_t kGrid = 3;

std::size_t level_of(const TraceEvent& event) {
  if (event.op == TraceOp::WarpBarrier) return kWarp;
  return static_cast<std::size_t>(std::clamp(event.scope, Scope::Block, Scope::Device));
}

std::string describe(TraceOp op, std::size_t level, std::uint32_t barrier) {
  constexpr std::array<std::string_view, 4> kNames = {"warp", "block", "cluster", "grid"};
  if (op == TraceOp::WarpBarrier) return "the warp barrier";
  return fmt::format("barrier {} of the {}", barrier, kNames[level]);
}

}  // namespace

std::uint32_t BarrierTracker::group_of(std::size_t level, std::uint64_t number) {
  const auto [found, is_new] = group_numbers_.try_emplace(number * kLevels + level, groups_.size());
  if (is_new) groups_.emplace_back();
  return found->second;
}

void BarrierTracker::add_threads(const TraceTables& tables) {
  while (threads_.size() < tables.threads().size()) {
    const ThreadPlace& place = tables.threads()[threads_.size()].place;
    const auto block = (static_cast<std::uint64_t>(place.gpu) << 32U) + static_cast<std::uint64_t>(place.block);
    const auto cluster = (static_cast<std::uint64_t>(place.gpu) << 32U) + static_cast<std::uint64_t>(place.cluster);
    ThreadState state;
    state.group = {group_of(kWarp, (block << 21U) + static_cast<std::uint64_t>(place.warp)), group_of(1, block),
                   group_of(2, cluster), group_of(kGrid, static_cast<std::uint64_t>(place.gpu))};
    threads_.push_back(state);
  }
}

std::optional<std::string> BarrierTracker::take(const TraceEvent& event, const TraceTables& tables,
                                                std::vector<Completion>& completions) {
  if (event.thread >= threads_.size()) add_threads(tables);
  if (tables.threads()[event.thread].is_operation()) return std::nullopt;  // an asynchronous operation
  if (threads_[event.thread].has_exited) {
    return fmt::format("{} has already exited", tables.threads()[event.thread].name);
  }
  const std::uint32_t waiting_at = threads_[event.thread].waiting_at;
  if (waiting_at != kNowhere) {
    const Instance& instance = instances_[waiting_at];
    if (instance.op == TraceOp::Barrier && instance.count != 0) {
      return fmt::format("{} waits at {}, where {} of {} threads have arrived", tables.threads()[event.thread].name,
                         describe(instance.op, instance.level, instance.barrier),
                         instance.waiting.size() + instance.arrived_only.size(), instance.count);
    }
    complete(waiting_at, tables, completions);
  }
  if (any_completion_) {
    if (auto error = check_left_out(event, tables)) return error;
  }
  if (event.is_barrier()) return arrive(event, tables, completions);
  if (event.op == TraceOp::Exit) exit(event.thread);
  return std::nullopt;
}

std::optional<std::string> BarrierTracker::check_left_out(const TraceEvent& event, const TraceTables& tables) const {
  const ThreadState& state = threads_[event.thread];
  const TraceThread& thread = tables.threads()[event.thread];
  for (std::size_t level = kWarp; level < kLevels; ++level) {
    if (groups_[state.group[level]].completions == state.participations[level]) continue;
    return fmt::format("{} continues, but {} has completed without it", thread.name,
                       level == kWarp   ? "a warp barrier of its warp"
                       : level == 1     ? "a barrier of its block"
                       : level == kGrid ? "a barrier of the grid"
                                        : "a barrier of its cluster");
  }
  if (thread.place.lane < 32 && ((groups_[state.group[kWarp]].left_out >> thread.place.lane) & 1U) != 0) {
    return fmt::format("{} continues, but a warp barrier that waits for its lane has completed without it",
                       thread.name);
  }
  return std::nullopt;
}

std::uint32_t BarrierTracker::open_instance(const TraceEvent& event) {
  const std::size_t level = level_of(event);
  const std::uint32_t group = threads_[event.thread].group[level];
  // Arrivals at a warp barrier belong together if their masks are equal. Arrivals at other barriers belong together if
  // their barrier numbers are equal.
  const std::uint32_t tag = event.op == TraceOp::WarpBarrier ? event.count : event.object;
  const std::uint64_t key = (std::uint64_t{group} << 32U) | tag;
  const auto [found, is_new] = open_.try_emplace(key, 0);
  if (!is_new) return found->second;
  if (free_instances_.empty()) {
    free_instances_.push_back(static_cast<std::uint32_t>(instances_.size()));
    instances_.emplace_back();
  }
  const std::uint32_t id = free_instances_.back();
  free_instances_.pop_back();
  found->second = id;
  Instance& instance = instances_[id];
  instance = {key, event.op, level, group, event.object, event.count, {}, {}, true};
  return id;
}

std::optional<std::string> BarrierTracker::arrive(const TraceEvent& event, const TraceTables& tables,
                                                  std::vector<Completion>& completions) {
  const TraceThread& thread = tables.threads()[event.thread];
  if (event.op == TraceOp::WarpBarrier && event.count != kAllLanes &&
      (thread.place.lane >= 32 || ((event.count >> thread.place.lane) & 1U) == 0)) {
    return fmt::format("{} is lane {}, which is not in the mask of the warp barrier", thread.name, thread.place.lane);
  }
  const std::uint32_t id = open_instance(event);
  Instance& instance = instances_[id];
  if (event.op == TraceOp::Barrier && instance.count != event.count) {
    return fmt::format("{} expects {} threads here but {} at an earlier arrival",
                       describe(instance.op, instance.level, instance.barrier),
                       event.count == 0 ? "all" : std::to_string(event.count),
                       instance.count == 0 ? "all" : std::to_string(instance.count));
  }
  auto& arrivals = event.arrive_only ? instance.arrived_only : instance.waiting;
  const auto& early = instance.arrived_only;
  if (std::find(early.begin(), early.end(), event.thread) != early.end()) {
    return fmt::format("{} arrives a second time at {} before the barrier has completed", thread.name,
                       describe(instance.op, instance.level, instance.barrier));
  }
  arrivals.push_back(event.thread);
  if (!event.arrive_only) threads_[event.thread].waiting_at = id;
  if (instance.op == TraceOp::Barrier && instance.count != 0 &&
      instance.waiting.size() + instance.arrived_only.size() >= instance.count) {
    complete(id, tables, completions);
  }
  return std::nullopt;
}

bool BarrierTracker::is_of_all(const Instance& instance) const {
  return instance.op == TraceOp::Barrier ? instance.count == 0 : instance.count == kAllLanes;
}

void BarrierTracker::complete(std::uint32_t id, const TraceTables& tables, std::vector<Completion>& completions) {
  Instance& instance = instances_[id];
  Completion done;
  done.op = instance.op;
  done.level = static_cast<Scope>(std::max<std::size_t>(instance.level, 1));
  for (const std::uint32_t thread : instance.waiting) threads_[thread].waiting_at = kNowhere;
  done.is_of_all = is_of_all(instance);
  if (done.is_of_all) {
    Group& group = groups_[instance.group];
    ++group.completions;
    any_completion_ = true;
    for (const auto* arrivals : {&instance.waiting, &instance.arrived_only}) {
      for (const std::uint32_t thread : *arrivals) ++threads_[thread].participations[instance.level];
    }
    done.exited = std::exchange(group.exited, {});
  } else if (instance.op == TraceOp::WarpBarrier) {
    note_left_out_lanes(instance, tables);
  }
  done.waiting = std::exchange(instance.waiting, {});
  done.arrived_only = std::exchange(instance.arrived_only, {});
  std::sort(done.waiting.begin(), done.waiting.end());
  open_.erase(instance.key);
  instance.is_open = false;
  free_instances_.push_back(id);
  completions.push_back(std::move(done));
}

void BarrierTracker::note_left_out_lanes(const Instance& instance, const TraceTables& tables) {
  std::uint32_t lanes = instance.count;
  const auto take_out = [&](std::uint32_t thread) {
    const auto lane = static_cast<unsigned>(tables.threads()[thread].place.lane);
    if (lane < 32) lanes &= ~(1U << lane);  // a mask has only 32 bits
  };
  Group& group = groups_[instance.group];
  std::ranges::for_each(instance.waiting, take_out);
  std::ranges::for_each(group.exited, take_out);
  group.left_out |= lanes;
  if (lanes != 0) any_completion_ = true;
}

void BarrierTracker::exit(std::uint32_t thread) {
  ThreadState& state = threads_[thread];
  state.has_exited = true;
  for (const std::uint32_t group : state.group) groups_[group].exited.push_back(thread);
}

}  // namespace ambit
