#include "runner/virtual/groups.h"

#include <limits>
#include <utility>

namespace ambit::virtual_gpu {
namespace {

/// Other lanes get their turn when the running lanes have executed this number of backward branches that follow
/// synchronising accesses. The value 2 had the lowest cost in measurements.
constexpr std::uint32_t kPolls = 2;
/// Other lanes also get their turn after this number of backward branches that do not follow synchronising accesses.
/// Loops without synchronising accesses end by themselves, except in programs with races that wait for a plain store.
constexpr std::uint32_t kLoops = 4096;
/// Lanes that have not been chosen in this number of choices run next.
constexpr std::uint64_t kPatience = 256;

/// The order of groups: deeper calls are first, then lower instructions. Compares sites, because addresses differ from
/// run to run.
struct Key {
  std::uint32_t above = 0;  ///< the largest possible depth minus the group's depth
  std::uint32_t site = 0;
  std::uint32_t lane = 0;

  explicit Key(const Group& group)
      : above(std::numeric_limits<std::uint32_t>::max() - group.frame->depth),
        site(group.at->site),
        lane(static_cast<std::uint32_t>(__builtin_ctz(group.lanes))) {}
  friend auto operator<=>(const Key&, const Key&) = default;
};

constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

std::size_t lowest(const Warp& warp) {
  std::size_t best = kNobody;
  for (std::size_t i = 0; i < warp.groups.size(); ++i) {
    if (warp.groups[i].state != GroupState::Runnable) continue;
    if (best == kNobody || Key(warp.groups[i]) < Key(warp.groups[best])) best = i;
  }
  return best;
}

/// Returns the group that has waited longest for its turn. If several groups have waited equally long, returns the
/// first of these groups in the order of Key.
std::size_t longest_waiting(const Warp& warp) {
  std::size_t best = kNobody;
  for (std::size_t i = 0; i < warp.groups.size(); ++i) {
    const Group& group = warp.groups[i];
    if (group.state != GroupState::Runnable) continue;
    if (best == kNobody || group.since < warp.groups[best].since ||
        (group.since == warp.groups[best].since && Key(group) < Key(warp.groups[best]))) {
      best = i;
    }
  }
  return best;
}

Group running_group(const Warp& warp) {
  Group group;
  group.at = warp.next;
  group.frame = warp.running_frame;
  group.lanes = warp.active;
  group.polls = warp.polls;
  group.loops = warp.loops;
  group.since = warp.choices;
  return group;
}

void resume(Warp& warp, std::size_t index) {
  const Group group = warp.groups[index];
  warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(index));
  ++warp.choices;
  warp.active = group.lanes;
  warp.next = group.at;
  warp.running_frame = group.frame;
  warp.frame = group.frame->data();
  warp.polls = 0;
  warp.loops = 0;
}

/// Merges the running lanes with all groups at the same instruction. Sets Warp::meet.
void join(Warp& warp) {
  const Group running = running_group(warp);
  const Instruction* meet = nullptr;
  for (std::size_t i = 0; i < warp.groups.size();) {
    const Group& group = warp.groups[i];
    if (running.can_merge_with(group)) {
      warp.active |= group.lanes;
      warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    const bool is_ahead = group.state == GroupState::Runnable && group.frame == running.frame && group.at > running.at;
    if (is_ahead && (meet == nullptr || group.at < meet)) meet = group.at;
    ++i;
  }
  warp.meet = meet;
}

}  // namespace

void set_aside(Warp& warp, const Instruction* at) {
  if (warp.active == 0) return;
  Group group = running_group(warp);
  group.at = at;
  group.polls = 0;
  group.loops = 0;
  warp.active = 0;
  warp.is_interrupted = true;
  for (Group& other : warp.groups) {
    if (group.can_merge_with(other)) {
      other.lanes |= group.lanes;
      return;
    }
  }
  warp.groups.push_back(group);
}

Group& park(Warp& warp, const Instruction* at, GroupState state) {
  Group group = running_group(warp);
  group.at = at;
  group.state = state;
  warp.active = 0;
  warp.is_interrupted = true;
  warp.groups.push_back(group);
  return warp.groups.back();
}

bool choose_group(Warp& warp) {
  warp.is_interrupted = false;
  warp.meet = nullptr;
  if (warp.groups.empty()) return warp.active != 0;
  const auto has_waited_long = [&](std::size_t index) {
    return index != kNobody && warp.choices - warp.groups[index].since > kPatience;
  };
  if (warp.active == 0) {
    const std::size_t first = lowest(warp);
    if (first == kNobody) return false;
    const std::size_t longest = longest_waiting(warp);
    warp.is_rotating = has_waited_long(longest);
    resume(warp, warp.is_rotating ? longest : first);
  } else {
    join(warp);
    const std::size_t longest = longest_waiting(warp);
    const bool gives_way =
        warp.polls >= kPolls || warp.loops >= kLoops || (!warp.is_rotating && has_waited_long(longest));
    const std::size_t other = gives_way ? longest : lowest(warp);
    const bool is_changed =
        other != kNobody && (gives_way || (!warp.is_rotating && Key(warp.groups[other]) < Key(running_group(warp))));
    if (is_changed) {
      warp.is_rotating = gives_way;
      Group aside = running_group(warp);
      aside.polls = 0;
      aside.loops = 0;
      resume(warp, other);
      warp.groups.push_back(aside);
    }
  }
  warp.is_interrupted = false;
  join(warp);
  return true;
}

}  // namespace ambit::virtual_gpu
