#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "core/program.h"

namespace ambit::cuda {

/// Where the jumps of a thread lead.
struct JumpTargets {
  std::set<std::size_t> instructions = {};  ///< the thread's end is code.size()
  bool loops = false;                       ///< some jump leads backward
  bool is_straight = true;                  ///< there is no jump
};

/// The instruction to which a branch or jump leads; nothing: it is another operation.
std::optional<std::size_t> jump_target(const Operation& operation);

/// Whether the thread may go on elsewhere than behind the instruction.
bool may_jump(const Instruction& instruction);

/// `begins_again`: the thread has transactions, of which an attempt that fails begins again.
JumpTargets jump_targets(const Thread& thread, bool begins_again);

}  // namespace ambit::cuda
