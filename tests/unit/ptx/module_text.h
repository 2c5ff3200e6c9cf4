#pragma once

#include <string>
#include <string_view>

#include "ptx/module.h"

// These functions find parts of PTX modules by name and return them as text, for tests of the reader.
namespace ambit::ptx {

/// Returns the text of a parsed instruction, with its guard and semicolon. Spells opcodes as the original text does.
/// Returns the original text of an Opcode::Unknown instruction.
std::string instruction_text(const Module& module, const Function& function, const Instruction& instruction);

/// Return the function or the file-scope variable with this name. The module must contain the name.
const Function& function_named(const Module& module, std::string_view name);
const Variable& variable_named(const Module& module, std::string_view name);

}  // namespace ambit::ptx
