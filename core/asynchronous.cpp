#include "core/asynchronous.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

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
                        "the models and the simulator support such grids"};
    }
  }
  return std::nullopt;
}

std::vector<std::string> with_vector(const MachineInstruction& machine, std::vector<std::string> written) {
  const bool is_two = machine.name.find(".v2.") != std::string::npos;
  const std::ptrdiff_t length = is_two ? 2 : machine.name.find(".v4.") != std::string::npos ? 4 : 0;
  const auto begin = std::ranges::find(machine.operands, MachineInstruction::Operand::Kind::Value,
                                       &MachineInstruction::Operand::kind) -
                     machine.operands.begin();
  if (length == 0 || begin + length > static_cast<std::ptrdiff_t>(written.size())) return written;
  const auto first = written.begin() + begin;
  *first = fmt::format("{{{}}}", fmt::join(first, first + length, ","));
  written.erase(first + 1, first + length);
  return written;
}

std::optional<RegisterId> copied_register(const Assign& assign) {
  const Expr* value = &assign.value;
  while (value->op == Op::Cast && value->type.bits == 64) value = value->arguments.data();
  return value->op == Op::Register ? std::optional(value->reg) : std::nullopt;
}

std::set<RegisterId> state_registers(const Thread& thread) {
  std::set<RegisterId> states;
  for (const Instruction& instruction : thread.code) {
    const auto& machine = instruction.machine;
    const bool arrives = machine != nullptr && machine->target && machine->name.starts_with("mbarrier.arrive");
    if (arrives) states.insert(*machine->target);
  }
  for (std::size_t before = 0; before < states.size();) {
    before = states.size();
    for (const Instruction& instruction : thread.code) {
      const auto* assign = std::get_if<Assign>(&instruction.operation);
      const auto copied = assign != nullptr ? copied_register(*assign) : std::nullopt;
      if (copied && states.contains(*copied)) states.insert(assign->target);
    }
  }
  return states;
}

void hide_mbarrier_states(Program& program) {
  if (program.condition.proposition || program.condition.filter) return;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const std::set<RegisterId> states = state_registers(program.threads[t]);
    std::erase_if(program.observables, [&](const Observable& one) {
      return one.kind == Observable::Kind::Register && one.thread == t && states.contains(one.reg);
    });
  }
}

}  // namespace ambit
