#include "runner/cuda/emit/hardware_mbarriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ambit::cuda {
namespace {

bool is_of_atomics(const MemoryObject& object) { return object.mbarrier && !object.home; }

/// Returns whether a PTX instruction names the object as an operand.
bool names(const Instruction& instruction, const Program& program, ObjectId object) {
  const auto is_named = [&](const MachineInstruction::Operand& operand) {
    if (operand.kind != MachineInstruction::Operand::Kind::Address || !operand.value.is_constant()) return false;
    const auto location = program.location_at(operand.value.constant);
    return location && program.locations[*location].object == object;
  };
  return instruction.machine != nullptr && std::ranges::any_of(instruction.machine->operands, is_named);
}

/// Returns the first thread with an instruction that names the object.
const Thread* first_user(const Program& program, ObjectId object) {
  const auto uses = [&](const Thread& thread) {
    return std::ranges::any_of(thread.code,
                               [&](const Instruction& instruction) { return names(instruction, program, object); });
  };
  const auto found = std::ranges::find_if(program.threads, uses);
  return found == program.threads.end() ? nullptr : &*found;
}

}  // namespace

bool has_mbarriers_of_atomics(const Program& program) { return std::ranges::any_of(program.objects, is_of_atomics); }

bool is_on_hardware_mbarriers(const Program& program, const Shape& shape) {
  const auto is_shared = [](const MemoryObject& one) { return is_of_atomics(one) && one.space == MemorySpace::Shared; };
  const bool is_watched = shape.records || shape.detector != nullptr;
  return shape.hardware_mbarriers || (!is_watched && std::ranges::any_of(program.objects, is_shared));
}

Result<Program> with_hardware_mbarriers(const Program& program) {
  Program result = program;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    if (!is_of_atomics(program.objects[id])) continue;
    const Thread* user = first_user(program, id);
    if (user == nullptr && program.objects[id].space == MemorySpace::Shared) user = &program.threads.front();
    if (user == nullptr) {
      return Diagnostic{program.source, program.objects[id].span,
                        fmt::format("no PTX instruction uses the mbarrier '{}'", program.objects[id].name),
                        "without --mbarrier hardware this test runs with atomics"};
    }
    result.objects[id].space = MemorySpace::Shared;
    result.objects[id].home = user->place;
  }
  return result;
}

}  // namespace ambit::cuda
