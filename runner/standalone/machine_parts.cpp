#include "runner/standalone/machine_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <variant>

#include "core/asynchronous.h"
#include "runner/cuda/machine_text.h"
#include "runner/standalone/values.h"

namespace ambit::standalone {
namespace {

constexpr std::string_view kWho = "the printer of programs does not support";

/// What one instruction has that no program has; empty: nothing.
std::string objection_to(const Program& program, const Instruction& instruction) {
  const auto* step = std::get_if<AsyncStep>(&instruction.operation);
  if (instruction.machine == nullptr) {
    if (step == nullptr) return {};
    const bool is_tensor = step->name.find(".tensor.") != std::string::npos;
    return fmt::format("{} {}", kWho,
                       is_tensor ? "tensor copies of threads: use a kernel" : "this operation of threads");
  }
  const std::string& name = instruction.machine->name;
  if (instruction.machine->uses_tensor_map()) return fmt::format("{} tensor copies of threads: use a kernel", kWho);
  if (name.starts_with("wgmma")) return fmt::format("{} wgmma by single threads", kWho);
  if (std::string missing = cuda::missing_machine(*instruction.machine); !missing.empty()) return missing;
  if (name == "exit") return fmt::format("{} exits of blocks", kWho);
  for (const MachineInstruction::Operand& operand : instruction.machine->operands) {
    if (operand.kind != MachineInstruction::Operand::Kind::Address) continue;
    if (!operand.value.is_constant() || !program.location_at(operand.value.constant)) {
      return fmt::format("{} asynchronous operations at addresses in registers", kWho);
    }
  }
  return {};
}

/// Whether the register holds the state of an mbarrier that an arrival returned.
bool holds_state(const Thread& thread, RegisterId reg) {
  return std::ranges::any_of(thread.code, [&](const Instruction& instruction) {
    const MachineInstruction* machine = instruction.machine.get();
    return machine != nullptr && machine->target == reg && !cuda::returns_number(*machine);
  });
}

bool has_clusters(const Program& program) {
  return std::ranges::any_of(program.threads, [&](const Thread& one) {
    return std::ranges::any_of(program.threads, [&](const Thread& other) {
      return one.place.cluster == other.place.cluster && one.place.block != other.place.block;
    });
  });
}

std::set<ObjectId> initialised_by_code(const Program& program) {
  std::set<ObjectId> found;
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      if (instruction.machine == nullptr || !instruction.machine->name.starts_with("mbarrier.init")) continue;
      const Value address = instruction.machine->operands.front().value.constant;
      found.insert(static_cast<ObjectId>(object_of(address)));
    }
  }
  return found;
}

}  // namespace

std::string shared_address(const std::string& cell) {
  return fmt::format("(unsigned)__cvta_generic_to_shared(&{})", cell);
}

std::optional<Diagnostic> machine_objection(const Program& program) {
  if (!is_asynchronous(program)) return std::nullopt;
  constexpr const char* kHint = "ambit check --model ptx decides this test";
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      if (std::string why = objection_to(program, instruction); !why.empty()) {
        return Diagnostic{program.source, instruction.span, std::move(why), kHint};
      }
    }
  }
  if (has_clusters(program)) {
    return Diagnostic{program.source, program.threads.front().span,
                      fmt::format("{} asynchronous operations in clusters of several blocks", kWho), kHint};
  }
  for (const Observable& one : program.observables) {
    const bool is_memory = one.kind == Observable::Kind::Memory;
    const bool is_opaque = is_memory ? program.objects[program.locations[one.location].object].mbarrier.has_value()
                                     : holds_state(program.threads[one.thread], one.reg);
    if (!is_opaque) continue;
    return Diagnostic{program.source, program.threads.front().span,
                      fmt::format("{} conditions on what '{}' holds, the state of an mbarrier", kWho, one.name), kHint};
  }
  return std::nullopt;
}

std::string mbarrier_text(const Program& program) {
  const std::set<ObjectId> by_code = initialised_by_code(program);
  std::string text;
  std::set<std::string> seen;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (!object.mbarrier || by_code.contains(id) || !seen.insert(variable_name(object)).second) continue;
    for (std::uint32_t i = 0; i < object.length; ++i) {
      const std::string cell = variable_name(object) + (object.is_array ? fmt::format("[{}]", i) : "");
      text += fmt::format("    asm volatile(\"mbarrier.init.shared::cta.b64 [%0], {};\" : : \"r\"({}) : \"memory\");\n",
                          object.mbarrier->arrivals, shared_address(cell));
    }
  }
  return text.empty() ? text : fmt::format("  if (threadIdx.x == 0) {{\n{}  }}\n  __syncthreads();\n", text);
}

}  // namespace ambit::standalone
