#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// Finds launches that can never end: all threads that run poll memory that none of them changes. While memory does not
/// change, what a warp does depends on its own state alone. So once every warp that runs has come to a state for the
/// second time, each of them goes around for ever.
class StallWatch {
 public:
  /// `quiet_steps`: instructions of warps without a change after which states are looked at.
  explicit StallWatch(std::uint64_t quiet_steps) : quiet_steps_(quiet_steps) {}

  /// Something happened that another warp may see, or that depends on more than memory: a store, a barrier that is
  /// complete, the end of a thread, the time.
  void changed() { ++changes_; }
  /// The warp's turn has ended after `steps` instructions of the launch. True: its state has been seen before, since
  /// the last change.
  bool repeats(const Warp& warp, std::uint64_t steps);
  /// Whether that is so of the warp.
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
