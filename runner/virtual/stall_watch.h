#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// Finds launches that can never end because all running threads poll memory that no thread changes. While memory does
/// not change, the next step of a warp depends only on its own state. Therefore, if every running warp has reached some
/// state twice, all warps loop forever.
class StallWatch {
 public:
  /// States are compared after `quiet_steps` warp instructions without a change.
  explicit StallWatch(std::uint64_t quiet_steps) : quiet_steps_(quiet_steps) {}

  /// Must be called after each event that another warp may observe (a store, a complete barrier, the end of a thread)
  /// and after each read of the time.
  void changed() { ++changes_; }
  std::uint64_t changes() const { return changes_; }
  /// Must be called at the end of the warp's turn, after `steps` instructions of the launch. Returns whether the warp
  /// has been in the same state before, since the last change.
  bool repeats(const Warp& warp, std::uint64_t steps);
  /// Returns whether some state of the warp has occurred twice since the last change.
  bool is_repeating(const Warp& warp) const;

 private:
  struct States {
    std::unordered_set<std::uint64_t> hashes;
    bool is_repeating = false;
  };

  std::uint64_t quiet_steps_;
  std::uint64_t changes_ = 1;
  std::uint64_t seen_changes_ = 0;
  std::uint64_t quiet_since_ = 0;
  std::unordered_map<const Warp*, States> states_;
};

}  // namespace ambit::virtual_gpu
