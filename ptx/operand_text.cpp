#include <fmt/format.h>

#include "ptx/module.h"

namespace ambit::ptx {
namespace {

std::string with_offset(std::string_view name, std::int64_t offset) {
  if (offset == 0) return std::string(name);
  return fmt::format("{}+{}", name, offset);
}

std::string elements_text(const Module& module, const Function& function, const Instruction& instruction,
                          const Operand& operand) {
  std::string result;
  for (const Operand& element : instruction.elements(operand)) {
    if (!result.empty()) result += ", ";
    result += operand_text(module, function, instruction, element);
  }
  return result;
}

std::string register_text(const Function& function, const Operand& operand) {
  std::string name = (operand.negated ? "!" : "") + function.register_name(operand.index);
  if (operand.component >= 0) name += fmt::format(".{}", "xyzw"[operand.component & 3]);
  return name;
}

std::string address_text(const Module& module, const Function& function, const Instruction& instruction,
                         const Operand& operand) {
  std::string inside;
  switch (operand.base) {
    case Operand::Base::Absolute: inside = std::to_string(operand.value); break;
    case Operand::Base::Register: inside = with_offset(function.register_name(operand.index), operand.offset()); break;
    case Operand::Base::Variable: inside = with_offset(module.variables[operand.index].name, operand.offset()); break;
  }
  if (operand.count > 0) inside += ", " + elements_text(module, function, instruction, operand);
  return "[" + inside + "]";
}

}  // namespace

std::string operand_text(const Module& module, const Function& function, const Instruction& instruction,
                         const Operand& operand) {
  const auto elements = [&] { return elements_text(module, function, instruction, operand); };
  switch (operand.kind) {
    case Operand::Kind::Register: return register_text(function, operand);
    case Operand::Kind::Special: return std::string(to_string(static_cast<SpecialRegister>(operand.index)));
    case Operand::Kind::Integer: return std::to_string(operand.offset());
    case Operand::Kind::Float32: return fmt::format("0f{:08X}", operand.value);
    case Operand::Kind::Float64: return fmt::format("0d{:016X}", operand.value);
    case Operand::Kind::Variable: return with_offset(module.variables[operand.index].name, operand.offset());
    case Operand::Kind::Function: return module.functions[operand.index].name;
    case Operand::Kind::Label: return function.labels[operand.index].name;
    case Operand::Kind::Targets: return std::string(function.targets[operand.index].name);
    case Operand::Kind::Prototype: return std::string(function.prototypes[operand.index].name);
    case Operand::Kind::Address: return address_text(module, function, instruction, operand);
    case Operand::Kind::Vector: return "{" + elements() + "}";
    case Operand::Kind::List: return "(" + elements() + ")";
    case Operand::Kind::Discard: return "_";
    case Operand::Kind::Pair: {
      const auto pair = instruction.elements(operand);
      return operand_text(module, function, instruction, pair[0]) + "|" +
             operand_text(module, function, instruction, pair[1]);
    }
  }
  return "";
}

}  // namespace ambit::ptx
