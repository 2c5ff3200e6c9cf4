// Makes the PTX instruction of a step, which runners on hardware execute.

#include <string>
#include <utility>

#include "parser/ptx/column_lowering.h"
#include "parser/ptx/instruction_text.h"

namespace ambit::parser::ptx {
namespace {

using Kind = OperandNode::Kind;
using Operand = MachineInstruction::Operand;

}  // namespace

bool needs_machine_instruction(const Step& step) {
  switch (step.opcode.kind) {
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

Operand::Kind machine_operand_kind(const Step& step, const OperandNode& operand) {
  if (operand.kind == Kind::Sink) return Operand::Kind::Sink;
  if (&operand == step.tensor) return Operand::Kind::Tensor;
  const bool is_memory =
      &operand == step.address || &operand == step.source || &operand == step.second_source || &operand == step.barrier;
  if (is_memory) return Operand::Kind::Address;
  const bool is_state = step.opcode.kind == OpcodeKind::MbarrierPending ||
                        (step.opcode.kind == OpcodeKind::MbarrierWait && !step.opcode.by_parity);
  return is_state && operand.kind == Kind::Register ? Operand::Kind::State : Operand::Kind::Value;
}

std::optional<Operand> ColumnLowering::machine_operand(const Step& step, const OperandNode& operand) {
  const Operand::Kind kind = machine_operand_kind(step, operand);
  if (kind == Operand::Kind::Sink) return Operand{kind, {}};
  if (kind == Operand::Kind::Tensor) {
    const auto number = static_cast<Value>(memory_.tensor(operand.name.text)->number);
    return Operand{kind, Expr::make_constant(number, kLongLong), operand.coordinates};
  }
  if (kind == Operand::Kind::Address) {
    std::optional<MemoryAccess> access = this->access(operand, Opcode{}, true);
    if (!access) return std::nullopt;
    return Operand{kind, std::move(access->address)};
  }
  if (operand.kind == Kind::Register) return Operand{kind, register_value(operand)};
  return Operand{kind, Expr::make_constant(operand.value, operand.literal)};
}

/// Returns the machine instruction of a step; null if runners do not need the instruction, or after an error.
std::shared_ptr<const MachineInstruction> ColumnLowering::machine_instruction(const Step& step) {
  if (!needs_machine_instruction(step) || reporter_.has_errors()) return nullptr;
  auto machine = std::make_shared<MachineInstruction>();
  machine->name = whole_name(step.node->opcode);
  for (const OperandNode& operand : step.node->operands) {
    if (&operand == step.target) {
      machine->target = register_id(operand);
      continue;
    }
    if (has_product(step) && &operand == &step.node->operands.front()) continue;
    const bool is_vector = operand.kind == Kind::Sink && sends_vector(step);
    for (Value i = 0; i < (is_vector ? elements_of(step) : 1); ++i) {
      std::optional<Operand> made =
          machine_operand(step, is_vector ? *step.values[static_cast<std::size_t>(i)] : operand);
      if (!made) return nullptr;
      machine->operands.push_back(*std::move(made));
    }
  }
  return machine;
}

}  // namespace ambit::parser::ptx
