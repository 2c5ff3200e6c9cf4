#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/program.h"

namespace ambit {

/// A run of interleaved steps that never ends: `before`, and then `cycle` repeated forever. Each iteration of the cycle
/// restores the values that the running threads' registers and all cells had when the iteration began.
struct EndlessRun {
  /// One step of a thread: an access, a fence, or an arrival at a barrier.
  struct Step {
    std::uint32_t thread = 0;              ///< index into Program::threads
    std::size_t instruction = 0;           ///< index into Thread::code
    std::optional<LocationId> location{};  ///< of an access
    std::optional<Value> read{};           ///< the value that the access reads
    std::optional<Value> written{};        ///< the value that the access writes
  };
  std::vector<Step> before;
  std::vector<Step> cycle;
};

}  // namespace ambit
