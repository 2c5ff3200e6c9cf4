#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "detector/inference/sync_state.h"

namespace ambit::detector::sync {

/// The messages of many threads at one location, which all reading threads share. One joint mark replaces the marks of
/// the messages. For example, in a grid barrier of N blocks, a reader gets one edge instead of N edges.
struct JointMessages {
  std::uint32_t location = 0;
  std::uint64_t number = 0;  ///< number of this object, from 1
  /// The messages with a mark, in the location's order. Each message holds a reference to its mark and its set.
  std::vector<Message> messages;
  std::vector<std::uint32_t> writers;  ///< sorted thread numbers
  MarkId mark = kNoName;               ///< the joint mark; holds one reference
  Scope fence = Scope::Thread;         ///< the widest Message::fence
  bool has_sets = false;               ///< at least one message has fences (Message::fences)

  bool has_writer(std::uint32_t thread) const { return std::ranges::binary_search(writers, thread); }
};

}  // namespace ambit::detector::sync
