#pragma once

#include <cstddef>
#include <set>

#include "core/program.h"

namespace ambit::cuda {

/// The targets of a thread's jumps.
struct JumpTargets {
  std::set<std::size_t> instructions = {};  ///< numbers of the target instructions; code.size() is the thread's end
  bool loops = false;                       ///< some jump leads backward
  bool is_straight = true;                  ///< there is no jump
};

/// Returns whether the thread may continue at an instruction other than the next instruction.
bool may_jump(const Instruction& instruction);

/// Returns the targets of the thread's jumps. `begins_again` is true if the thread has transactions. A failed attempt
/// of a transaction jumps back.
JumpTargets jump_targets(const Thread& thread, bool begins_again);

}  // namespace ambit::cuda
