#pragma once

#include <string>

#include "runner/cuda/kernel.h"

namespace ambit::cuda {

/// Looks whether the compiler kept the test's instructions: each stands in the PTX with its mark, under the name that
/// it was given (but it may be gone from behind a jump, where the compiler found that it is never reached); those of a
/// thread without jumps follow each other as they do in the test, however often the thread's code was copied. Empty, or
/// what is wrong.
std::string check_ptx(const Kernel& kernel, const std::string& ptx);

/// Looks whether the assembler kept them: `listing` is the disassembled kernel with line numbers (see Disassembler).
/// Every instruction of the test must be there, as the machine instructions that it should become (check_expansion),
/// but for loads whose value nothing reads; and wherever control goes from one to the next without a jump, the second
/// must be one that may follow the first in the test. Only weak accesses with nothing else between them may change
/// places. Empty, or what is wrong.
std::string check_sass(const Kernel& kernel, const std::string& listing);

/// What is said of a test whose code failed one of these checks; `wrong`: what the check said.
Diagnostic not_kept(const Program& program, const std::string& wrong);

/// The machine instructions of each instruction of the test, a line each: "P0.1  st.release... : MEMBAR...; STG...".
std::string sass_text(const Kernel& kernel, const std::string& listing);

}  // namespace ambit::cuda
