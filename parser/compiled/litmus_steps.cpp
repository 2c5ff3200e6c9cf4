#include "parser/compiled/litmus_steps.h"

#include <fmt/format.h>

#include <variant>

namespace ambit::parser::compiled {

void LitmusSteps::begin() {
  context_.code = litmus::CodeBuilder();
  for (const Register& known : thread_.registers) {
    context_.code.add_register(known.name, known.type, known.is_opaque);
  }
}

void LitmusSteps::finish() {
  const std::size_t first = thread_.code.size();
  std::vector<ambit::Instruction> code = context_.code.finish(false);
  std::vector<Register> registers = context_.code.take_registers();
  for (std::size_t i = thread_.registers.size(); i < registers.size(); ++i) {
    registers[i].name = fmt::format("%t{}", i);
    thread_.registers.push_back(std::move(registers[i]));
  }
  for (ambit::Instruction& instruction : code) {
    if (auto* branch = std::get_if<Branch>(&instruction.operation)) branch->target += first;
    if (auto* jump = std::get_if<Jump>(&instruction.operation)) jump->target += first;
    thread_.code.push_back(std::move(instruction));
  }
}

}  // namespace ambit::parser::compiled
