#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/program.h"

namespace ambit::events {

/// The instructions begin..end of a thread between the target of a backward jump and the last jump to it.
struct Loop {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< inclusive
  /// Its iterations hand nothing on to each other in registers, and it holds no barrier, assertion or assumption: it
  /// is a spin loop if, besides, its failing iterations write nothing (spin.cpp).
  bool is_independent = false;
  /// Registers that an iteration may hand on to the next, ascending.
  std::vector<RegisterId> carried = {};
};

/// The loops of one thread.
struct ControlFlow {
  std::vector<Loop> loops;                         ///< by rising begin; nested or disjoint
  std::vector<std::optional<std::size_t>> header;  ///< by instruction: index of the loop that begins there
};

/// Finds the loops. Error: a jump into the middle of a loop from outside it.
Result<ControlFlow> analyse_control_flow(const Program& program, const Thread& thread,
                                         const std::vector<RegisterId>& observed);

}  // namespace ambit::events
