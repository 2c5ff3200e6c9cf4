#pragma once

#include <string>

#include "runner/cuda/emit/kernel.h"

namespace ambit::cuda {

/// Checks that the compiler kept the test's instructions. The PTX must contain each instruction with its mark and its
/// name, but the compiler may remove an unreachable instruction after a jump. If a thread has no jumps, each copy of
/// its code must have the instructions in order. Returns an error message, or an empty text.
std::string check_ptx(const Kernel& kernel, const std::string& ptx);

/// Checks that the assembler kept the test's instructions. `listing` is the disassembled kernel with line numbers (see
/// Disassembler). For every instruction of the test, except loads whose value is unused, the listing must contain the
/// expected machine instructions (check_expansion). Between jumps, machine instructions must be in the order of the
/// test's instructions; only adjacent weak accesses may be reordered. Returns an error message, or an empty text.
std::string check_sass(const Kernel& kernel, const std::string& listing);

/// Returns the error for a test whose code failed one of these checks; `wrong` is the result of the check.
Diagnostic not_kept(const Program& program, const std::string& wrong);

/// Returns the machine instructions of each instruction of the test, with one line for each: "P0.1  st.release... :
/// MEMBAR...; STG...".
std::string sass_text(const Kernel& kernel, const std::string& listing);

}  // namespace ambit::cuda
