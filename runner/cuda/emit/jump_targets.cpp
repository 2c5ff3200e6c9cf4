#include "runner/cuda/emit/jump_targets.h"

#include <variant>

#include "core/asynchronous.h"

namespace ambit::cuda {

bool may_jump(const Instruction& instruction) {
  const auto& machine = instruction.machine;
  if (machine != nullptr && machine->name.starts_with(kGridStep))
    return false;  // on hardware, this wait is not an instruction of the thread
  const Operation& done = instruction.operation;
  return std::holds_alternative<Branch>(done) || std::holds_alternative<Jump>(done) ||
         std::holds_alternative<Assume>(done);
}

JumpTargets jump_targets(const Thread& thread, bool begins_again) {
  JumpTargets found{.loops = begins_again, .is_straight = !begins_again};
  if (begins_again) found.instructions.insert(thread.code.size());
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    if (!may_jump(thread.code[i])) continue;
    const std::size_t* jump = jump_target(thread.code[i].operation);
    const std::size_t target = jump != nullptr ? *jump : thread.code.size();
    found.instructions.insert(target);
    if (target <= i) {
      found.loops = true;
      found.instructions.insert(thread.code.size());
    }
    found.is_straight = false;
  }
  return found;
}

}  // namespace ambit::cuda
