// The instruction of PTX behind the operations of a step, for those who run it on hardware.

#include <string>
#include <utility>

#include "parser/ptx/column_lowering.h"

namespace ambit::parser::ptx {
namespace {

using Kind = OperandNode::Kind;
using Operand = MachineInstruction::Operand;

bool needs_machine_instruction(OpcodeKind kind) {
  switch (kind) {
    case OpcodeKind::MbarrierInit:
    case OpcodeKind::MbarrierArrive:
    case OpcodeKind::MbarrierWait:
    case OpcodeKind::MbarrierPending:
    case OpcodeKind::MbarrierInvalidate:
    case OpcodeKind::MbarrierExpect:
    case OpcodeKind::MbarrierComplete:
    case OpcodeKind::Asynchronous: return true;
    default: return false;
  }
}

}  // namespace

std::optional<Operand> ColumnLowering::machine_operand(const Step& step, const OperandNode& operand) {
  if (operand.kind == Kind::Sink) return Operand{Operand::Kind::Sink, {}};
  if (&operand == step.tensor) {
    const auto number = static_cast<Value>(memory_.tensor(operand.name.text)->number);
    return Operand{Operand::Kind::Tensor, Expr::make_constant(number, kLongLong), operand.coordinates};
  }
  const bool is_memory =
      &operand == step.address || &operand == step.source || &operand == step.second_source || &operand == step.barrier;
  if (is_memory) {
    std::optional<MemoryAccess> access = this->access(operand, Opcode{}, true);
    if (!access) return std::nullopt;
    return Operand{Operand::Kind::Address, std::move(access->address)};
  }
  const bool is_state = step.opcode.kind == OpcodeKind::MbarrierPending ||
                        (step.opcode.kind == OpcodeKind::MbarrierWait && !step.opcode.by_parity);
  if (operand.kind == Kind::Register) {
    return Operand{is_state ? Operand::Kind::State : Operand::Kind::Value, register_value(operand)};
  }
  return Operand{Operand::Kind::Value, Expr::make_constant(operand.value, operand.literal)};
}

/// Null where the operations of the step say enough, and after an error.
std::shared_ptr<const MachineInstruction> ColumnLowering::machine_instruction(const Step& step) {
  if (!needs_machine_instruction(step.opcode.kind) || reporter_.has_errors()) return nullptr;
  auto machine = std::make_shared<MachineInstruction>();
  for (const Word& word : step.node->opcode)
    machine->name += (machine->name.empty() ? "" : ".") + std::string(word.text);
  for (const OperandNode& operand : step.node->operands) {
    if (&operand == step.target) {
      machine->target = register_id(operand);
      continue;
    }
    std::optional<Operand> made = machine_operand(step, operand);
    if (!made) return nullptr;
    machine->operands.push_back(*std::move(made));
  }
  return machine;
}

}  // namespace ambit::parser::ptx
