#include "tests/unit/ptx/module_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"

namespace ambit::ptx {
std::string instruction_text(const Module& module, const Function& function, const Instruction& instruction) {
  const std::string_view file = function.file->text;
  if (instruction.opcode == Opcode::Unknown) {
    return std::string(file.substr(instruction.text.offset, instruction.text.length));
  }
  std::string result;
  if (instruction.guard.reg != kNone) {
    result = fmt::format("@{}{} ", instruction.guard.negated ? "!" : "", function.register_name(instruction.guard.reg));
  }
  result += file.substr(instruction.spelling.offset, instruction.spelling.length);
  const bool is_call = instruction.opcode == Opcode::Call;
  std::string_view separator = " ";
  for (std::size_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    // A call has parentheses for returned values only if it returns values, and parentheses for arguments only if it
    // has arguments.
    if (is_call && operand.kind == Operand::Kind::List && operand.count == 0) continue;
    result += separator;
    result += operand_text(module, function, instruction, operand);
    separator = ", ";
  }
  return result + ";";
}

const Function& function_named(const Module& module, std::string_view name) {
  const auto found = std::ranges::find(module.functions, name, &Function::name);
  AMBIT_ASSERT(found != module.functions.end());
  return *found;
}

const Variable& variable_named(const Module& module, std::string_view name) {
  const auto found = std::ranges::find_if(
      module.variables, [&](const Variable& variable) { return variable.function == kNone && variable.name == name; });
  AMBIT_ASSERT(found != module.variables.end());
  return *found;
}

}  // namespace ambit::ptx
