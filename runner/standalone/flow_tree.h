#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/program.h"

namespace ambit::standalone {

/// A part of a thread's code that uses the control flow of C++ instead of jumps.
struct FlowNode {
  enum class Kind : std::uint8_t {
    Plain,        ///< an instruction
    If,           ///< the instruction is a branch: `then` runs if the branch does not jump, else `otherwise`
    IfJumps,      ///< the instruction is a branch: `then` runs if the branch jumps
    Forever,      ///< while (true) { then }
    RepeatWhile,  ///< do { then } while (the branch `instruction` jumps)
    Once,         ///< do { then } while (0): a block that `break` leaves
    Break,
    Continue,
    Return
  };
  Kind kind = Kind::Plain;
  std::size_t instruction = 0;
  std::vector<FlowNode> then = {};
  std::vector<FlowNode> otherwise = {};
};
using Flow = std::vector<FlowNode>;

/// Converts jumps to loops, branches, breaks and continues. Returns nothing if this is impossible: a jump enters the
/// middle of a loop, or two loops overlap.
std::optional<Flow> flow_tree(const Thread& thread);

}  // namespace ambit::standalone
