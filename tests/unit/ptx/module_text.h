#pragma once

#include <string>
#include <string_view>

#include "ptx/module.h"

// Parts of PTX modules by name and as text, for tests of the reader.
namespace ambit::ptx {

/// Returns the text of an instruction with guard and semicolon, from its resolved form. Opcodes are spelt as in the
/// original text. An Opcode::Unknown instruction keeps its text.
std::string instruction_text(const Module& module, const Function& function, const Instruction& instruction);

/// Return the function, or the variable outside of functions, with this name, which must exist.
const Function& function_named(const Module& module, std::string_view name);
const Variable& variable_named(const Module& module, std::string_view name);

}  // namespace ambit::ptx
