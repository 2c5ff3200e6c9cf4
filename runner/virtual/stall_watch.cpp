#include "runner/virtual/stall_watch.h"

#include <string_view>

#include "base/hash.h"

namespace ambit::virtual_gpu {
namespace {

/// Hashes the state that determines the next steps of lanes at an instruction.
std::uint64_t hash_of(const Instruction* at, const Frame* frame, std::uint32_t lanes, std::uint32_t state) {
  std::uint64_t hash = combine_hash(at->site, std::uint64_t{lanes} << 8U | state);
  for (; frame != nullptr; frame = frame->parent) {
    const auto* bytes = reinterpret_cast<const char*>(frame->data());
    hash = combine_hash(hash, std::hash<std::string_view>{}({bytes, frame->function->frame_bytes}));
  }
  return hash;
}

std::uint64_t hash_of(const Warp& warp) {
  std::uint64_t hash = warp.active == 0 ? 0 : hash_of(warp.next, warp.running_frame, warp.active, 0xff);
  for (const Group& group : warp.groups) {
    // Adds the hashes, because the order of the groups in the list does not matter.
    hash += hash_of(group.at, group.frame, group.lanes, static_cast<std::uint32_t>(group.state));
  }
  return hash;
}

}  // namespace

bool StallWatch::repeats(const Warp& warp, std::uint64_t steps) {
  if (changes_ != seen_changes_) {
    seen_changes_ = changes_;
    quiet_since_ = steps;
    states_.clear();
    return false;
  }
  if (steps - quiet_since_ < quiet_steps_) return false;
  States& states = states_[&warp];
  if (!states.is_repeating) states.is_repeating = !states.hashes.insert(hash_of(warp)).second;
  return states.is_repeating;
}

bool StallWatch::is_repeating(const Warp& warp) const {
  const auto found = states_.find(&warp);
  return found != states_.end() && found->second.is_repeating;
}

}  // namespace ambit::virtual_gpu
