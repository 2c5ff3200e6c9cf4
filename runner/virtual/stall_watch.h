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
  /// `quiet_steps`: the number of warp instructions without a change after which states are compared.
  explicit StallWatch(std::uint64_t quiet_steps) : quiet_steps_(quiet_steps) {}

  /// Notes an event that another warp may observe, or that depends on more than memory: a store, a complete barrier,
  /// the end of a thread, or a read of the time.
  void changed() { ++changes_; }
  std::uint64_t changes() const { return changes_; }
  /// Notes the end of the warp's turn after `steps` instructions of the launch. Returns whether the warp's state has
  /// occurred before since the last change.
  bool repeats(const Warp& warp, std::uint64_t steps);
  /// Returns whether the state of the warp has occurred twice since the last change.
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
