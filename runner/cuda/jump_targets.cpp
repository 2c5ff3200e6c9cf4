#include "runner/cuda/jump_targets.h"

#include <optional>
#include <variant>

#include "core/asynchronous.h"

namespace ambit::cuda {

JumpTargets jump_targets(const Thread& thread, bool begins_again) {
  JumpTargets found{.loops = begins_again, .is_straight = !begins_again};
  if (begins_again) found.instructions.insert(thread.code.size());
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    const auto& machine = thread.code[i].machine;
    if (machine != nullptr && machine->name.starts_with(kGridStep)) continue;  // hardware waits by itself
    std::optional<std::size_t> target;
    if (const auto* branch = std::get_if<Branch>(&thread.code[i].operation)) target = branch->target;
    if (const auto* jump = std::get_if<Jump>(&thread.code[i].operation)) target = jump->target;
    if (std::holds_alternative<Assume>(thread.code[i].operation)) target = thread.code.size();
    if (!target) continue;
    found.instructions.insert(*target);
    if (*target <= i) {
      found.loops = true;
      found.instructions.insert(thread.code.size());
    }
    found.is_straight = false;
  }
  return found;
}

}  // namespace ambit::cuda
