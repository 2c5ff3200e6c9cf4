#include "runner/cuda/emit/tensor_objects.h"

#include <algorithm>

namespace ambit::cuda {
namespace {

std::optional<std::size_t> map_of_descriptor(const Program& program, ObjectId object) {
  const auto found = std::ranges::find(program.tensor_maps, std::optional(object), &TensorMap::descriptor);
  if (found == program.tensor_maps.end()) return std::nullopt;
  return static_cast<std::size_t>(found - program.tensor_maps.begin());
}

}  // namespace

std::vector<const MachineInstruction*> machine_instructions(const Thread& thread) {
  std::vector<const MachineInstruction*> found;
  const MachineInstruction* last = nullptr;
  for (const Instruction& instruction : thread.code) {
    const MachineInstruction* machine = instruction.machine.get();
    if (machine != nullptr && machine != last) found.push_back(machine);
    last = machine;
  }
  return found;
}

std::optional<ObjectId> object_at(const Program& program, const MachineInstruction::Operand& operand) {
  const bool is_address = operand.kind == MachineInstruction::Operand::Kind::Address;
  if (!is_address || !operand.value.is_constant()) return std::nullopt;
  const auto location = program.location_at(operand.value.constant);
  return location ? std::optional(program.locations[*location].object) : std::nullopt;
}

bool needs_whole_warp(const MachineInstruction& machine) { return machine.name.starts_with("tensormap.cp_fenceproxy"); }

std::optional<std::size_t> map_in(const Program& program, ObjectId object) {
  if (program.tensor_maps.empty()) return std::nullopt;
  if (program.objects[object].space == MemorySpace::Global) return map_of_descriptor(program, object);
  for (const Thread& thread : program.threads) {
    for (const MachineInstruction* machine : machine_instructions(thread)) {
      if (!needs_whole_warp(*machine) || object_at(program, machine->operands[1]) != object) continue;
      if (const auto target = object_at(program, machine->operands[0])) return map_of_descriptor(program, *target);
    }
  }
  return std::nullopt;
}

std::uint32_t shared_alignment(const Program& program, ObjectId object) {
  constexpr std::uint32_t kOfBulkCopies = 16;
  if (program.objects[object].mbarrier || program.tensor_maps.empty()) return kOfBulkCopies;
  const auto is_object = [&](const MachineInstruction::Operand& one) { return object_at(program, one) == object; };
  for (const Thread& thread : program.threads) {
    for (const MachineInstruction* machine : machine_instructions(thread)) {
      if (machine->uses_tensor_map() && std::ranges::any_of(machine->operands, is_object)) return kTensorAlignment;
    }
  }
  return kOfBulkCopies;
}

}  // namespace ambit::cuda
