// The first pass over a column: records how the instructions use memory and registers.

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "parser/ptx/async_forms.h"
#include "parser/ptx/column_lowering.h"
#include "parser/ptx/vector_access.h"
#include "parser/text/keywords.h"

namespace ambit::parser::ptx {

void ColumnLowering::fail(SourceSpan where, std::string message, std::string hint) {
  reporter_.error(where, std::move(message), std::move(hint));
}

ColumnLowering::RegisterUse& ColumnLowering::use(std::string_view name) {
  for (RegisterUse& known : registers_) {
    if (known.name == name) return known;
  }
  registers_.push_back({});
  registers_.back().name = name;
  return registers_.back();
}

void ColumnLowering::set_register(const DeclarationNode& node) {
  RegisterUse& known = use(node.name.text);
  const bool is_set = std::any_of(initial_.begin(), initial_.end(),
                                  [&](const DeclarationNode* other) { return other->name.text == node.name.text; });
  if (is_set) fail(node.name.span, fmt::format("{}:{} is initialized twice", name(), node.name.text));
  known.is_written = true;
  known.has_plain_writer = true;
  if (node.values.empty()) {
    return fail(node.name.span, fmt::format("the register {} has no value", node.name.text),
                fmt::format("write {}:{}=0", name(), node.name.text));
  }
  const OperandNode& value = node.values.front();
  if (value.in_brackets || value.kind == OperandNode::Kind::Register || value.kind == OperandNode::Kind::Sink) {
    return fail(value.span, "expected a number or an address as the initial value");
  }
  initial_.push_back(&node);
  if (value.kind != OperandNode::Kind::Location) return;
  known.holds_address = true;
  if (const std::optional<std::size_t> index = memory_.use(value, block())) memory_.take_address(*index);
}

void ColumnLowering::survey() {
  steps_.reserve(node_.code.size());
  for (const StatementNode& statement : node_.code) {
    if (const auto* label = std::get_if<LabelNode>(&statement)) {
      if (!is_label_name(label->name.text)) {
        fail(label->name.span, fmt::format("'{}' is not a label name", label->name.text),
             "a label is LC followed by digits: LC01");
      }
      steps_.emplace_back(*label);
      continue;
    }
    const auto& instruction = std::get<InstructionNode>(statement);
    if (!is_vector(instruction) || is_asynchronous(instruction)) {  // st.async sends a vector as one operation
      survey(instruction);
      continue;
    }
    for (InstructionNode& part : scalars_of(instruction, reporter_)) survey(scalars_.emplace_back(std::move(part)));
  }
  survey_registers();
  survey_states();
}

void ColumnLowering::survey(const InstructionNode& instruction) {
  const std::optional<Opcode> opcode = decode(instruction, dialect_, reporter_);
  std::optional<Step> step = opcode ? make_step(instruction, *opcode, reporter_) : std::nullopt;
  if (!step) {
    // An invalid instruction counts as a writer of its first register, so that reads of the register cause no error.
    if (!instruction.operands.empty() && instruction.operands.front().kind == OperandNode::Kind::Register) {
      use(instruction.operands.front().name.text).is_written = true;
    }
    return;
  }
  survey(*step);
  steps_.push_back(*step);
}

void ColumnLowering::survey(const Step& step) {
  if (step.opcode.type && step.opcode.type->bits >= 64) memory_.note_wide();
  survey_address(step);
  if (step.node->guard) read(&*step.node->guard);
  for (const OperandNode* operand : step.values) read(operand);
  write(step.target, step.opcode);
  const bool gives_state = step.opcode.kind == OpcodeKind::MbarrierArrive && step.opcode.no_complete;
  if (step.target != nullptr && !gives_state) {
    RegisterUse& known = use(step.target->name.text);
    if (known.other_writer.line == 0) known.other_writer = step.node->span;
  }
  switch (step.opcode.kind) {
    case OpcodeKind::Move: {
      const OperandNode* source = step.values[0];
      if (source->kind == OperandNode::Kind::Location) {
        use(step.target->name.text).holds_address = true;
        if (const auto index = memory_.use(*source, block())) memory_.take_address(*index);
      } else if (source->kind == OperandNode::Kind::Register && use(source->name.text).holds_address) {
        use(step.target->name.text).holds_address = true;
      }
      return;
    }
    case OpcodeKind::MbarrierInit:
    case OpcodeKind::MbarrierInvalidate:
    case OpcodeKind::MbarrierArrive:
    case OpcodeKind::MbarrierExpect:
    case OpcodeKind::MbarrierComplete: return survey_mbarrier(step);
    case OpcodeKind::MbarrierPending:
      if (step.values[0] != nullptr) use(step.values[0]->name.text).is_counted = true;
      return;
    case OpcodeKind::Asynchronous: return survey_asynchronous(step);
    case OpcodeKind::BlockBarrier:
      if (!step.opcode.has_instance && step.values[0]->kind == OperandNode::Kind::Register) has_dynamic_barrier_ = true;
      return;
    default: return;
  }
}

void ColumnLowering::survey_mbarrier(const Step& step) {
  const auto index = named(*step.address);
  if (!index) return;
  const OperandNode* number = step.values[0];
  const bool has_number = number != nullptr && number->kind == OperandNode::Kind::Integer;
  MbarrierUse use;
  switch (step.opcode.kind) {
    case OpcodeKind::MbarrierInit:
      if (has_number) memory_.note_mbarrier(*index, number->value, number->span);
      use.inits = 1;
      break;
    case OpcodeKind::MbarrierInvalidate: use.is_packed = use.is_invalidated = true; break;
    case OpcodeKind::MbarrierArrive:
      use.has_drop = step.opcode.drops;
      use.is_packed = step.opcode.drops || step.opcode.expects || step.opcode.no_complete;
      if (step.opcode.expects && has_number) use.unit = use.bytes = number->value;
      break;
    default:
      use.is_packed = true;
      if (has_number) use.unit = use.bytes = number->value;
  }
  memory_.note_mbarrier_use(*index, use);
}

void ColumnLowering::survey_address(const Step& step) {
  if (step.address != nullptr) survey_operand(*step.address, step.opcode);
}

void ColumnLowering::survey_operand(const OperandNode& operand, const Opcode& opcode) {
  if (operand.kind == OperandNode::Kind::Register) {
    read(&operand);
    memory_.note_wide();
    return memory_.note_access(std::nullopt, opcode, operand.span);
  }
  const std::optional<std::size_t> index = memory_.use(operand, block());
  if (!index) return;
  memory_.check_proxy(*index, opcode, operand.span);
  memory_.note_access(index, opcode, operand.span);
}

void ColumnLowering::read(const OperandNode* operand) {
  if (operand == nullptr || operand->kind != OperandNode::Kind::Register) return;
  RegisterUse& known = use(operand->name.text);
  if (known.read.line == 0) known.read = operand->name.span;
}

void ColumnLowering::write(const OperandNode* operand, const Opcode& opcode) {
  if (operand == nullptr) return;
  RegisterUse& known = use(operand->name.text);
  known.is_written = true;
  if (!opcode.type) {
    known.has_plain_writer = true;
    return;
  }
  const ScalarType type{std::max<std::uint8_t>(opcode.type->bits, 32), opcode.type->sign != TypeSuffix::Sign::Unsigned};
  if (!known.type) known.type = type;
  known.type = ScalarType{std::max(known.type->bits, type.bits), known.type->is_signed || type.is_signed};
}

std::vector<std::string_view> ColumnLowering::written_registers() const {
  std::vector<std::string_view> names;
  for (const RegisterUse& known : registers_) {
    if (known.is_written) names.push_back(known.name);
  }
  return names;
}

/// Reports operands of mbarrier.pending_count that are not states of arrivals with .noComplete.
void ColumnLowering::survey_states() {
  for (const RegisterUse& known : registers_) {
    if (!known.is_counted || known.other_writer.line == 0) continue;
    fail(
        known.other_writer,
        fmt::format("mbarrier.pending_count reads '{}', which this instruction writes: the count is defined for states "
                    "of arrivals with .noComplete only",
                    known.name),
        "mbarrier.arrive.noComplete.shared::cta.b64 r0, [b], 1");
  }
}

/// Reports registers that are read but never written.
void ColumnLowering::survey_registers() {
  for (const RegisterUse& known : registers_) {
    if (known.is_written || known.read.line == 0) continue;
    const std::vector<std::string_view> written = written_registers();
    std::string hint;
    if (memory_.is_location(known.name)) {
      hint = fmt::format("write [{}] for the location", known.name);
    } else if (!written.empty()) {
      hint = one_of(fmt::format("{} writes", name()), written);
    } else if (dialect_ != Dialect::TestFile) {
      hint = fmt::format("give it an initial value: {}:{}=0", name(), known.name);
    }
    fail(known.read, fmt::format("{} reads the register '{}', which is never written", name(), known.name),
         std::move(hint));
  }
}

}  // namespace ambit::parser::ptx
