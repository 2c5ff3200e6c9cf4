#include "core/asynchronous.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit {

bool is_asynchronous(const Program& program) { return asynchronous_objection(program, "").has_value(); }

std::optional<Diagnostic> asynchronous_objection(const Program& program, std::string_view who) {
  constexpr const char* kHint = "ambit check --model ptx decides this test";
  if (const Instruction* first = program.first_asynchronous()) {
    return Diagnostic{program.source, first->span, fmt::format("{} does not support asynchronous operations", who),
                      kHint};
  }
  const auto named =
      std::ranges::find_if(program.objects, [](const MemoryObject& one) { return one.home.has_value(); });
  if (named == program.objects.end()) return std::nullopt;
  return Diagnostic{program.source, named->span, fmt::format("{} does not support shared memory of a named cta", who),
                    kHint};
}

bool has_dependent_grids(const Program& program) { return grid_objection(program, "").has_value(); }

std::optional<Diagnostic> grid_objection(const Program& program, std::string_view who) {
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      if (instruction.machine == nullptr || !instruction.machine->name.starts_with(kGridStep)) continue;
      return Diagnostic{program.source, instruction.span,
                        fmt::format("{} does not support grids that depend on each other", who),
                        "the models and the simulator support them"};
    }
  }
  return std::nullopt;
}

}  // namespace ambit
