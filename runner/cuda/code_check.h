#pragma once

#include <string>

#include "runner/cuda/kernel.h"

namespace ambit::cuda {

/// Checks that the compiler kept the test's instructions: the PTX contains each with its mark and its name (but the
/// compiler may remove an unreachable instruction after a jump), and each copy of the code of a thread without jumps
/// has the instructions in order. Returns an error message, or an empty text.
std::string check_ptx(const Kernel& kernel, const std::string& ptx);

/// Checks that the assembler kept the test's instructions. `listing` is the disassembled kernel with line numbers (see
/// Disassembler). It must contain every instruction of the test as the expected machine instructions (check_expansion),
/// except loads whose value is unused. If control goes from one instruction to the next without a jump, the second must
/// be able to follow the first in the test. Only adjacent weak accesses may be reordered. Returns an error message, or
/// an empty text.
std::string check_sass(const Kernel& kernel, const std::string& listing);

/// Returns the error for a test whose code failed one of these checks; `wrong` is the result of the check.
Diagnostic not_kept(const Program& program, const std::string& wrong);

/// Returns the machine instructions of each instruction of the test, a line each: "P0.1  st.release... : MEMBAR...;
/// STG...".
std::string sass_text(const Kernel& kernel, const std::string& listing);

}  // namespace ambit::cuda
