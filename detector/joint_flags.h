#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "detector/sync_state.h"

namespace ambit::detector::sync {

/// The messages of a location that many threads have published at, shared by the threads that read them. What comes
/// before them is one joint mark. At a grid barrier of N blocks, a reader gets one edge. Without the joint mark, it
/// would get N.
struct JointMessages {
  std::uint32_t location = 0;
  std::uint64_t number = 0;            ///< of these messages; from 1
  std::vector<Message> messages;       ///< those with a mark, in the location's order; each holds its uses
  std::vector<std::uint32_t> writers;  ///< sorted
  MarkId mark = kNoName;               ///< one use
  Scope fence = Scope::Thread;         ///< the widest Message::fence
  bool has_sets = false;               ///< some message has Message::fences

  bool has_writer(std::uint32_t thread) const { return std::ranges::binary_search(writers, thread); }
};

}  // namespace ambit::detector::sync
