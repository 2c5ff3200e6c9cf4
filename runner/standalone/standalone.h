#pragma once

#include <optional>
#include <string>

#include "base/source.h"
#include "core/program.h"
#include "parser/kernel_text.h"
#include "runner/standalone/log_style.h"

/// Prints tests as complete CUDA programs.
namespace ambit::standalone {

/// Returns the test as a CUDA C++ program with main, which depends only on CUDA's headers. The program launches the
/// test `--runs` times and prints a histogram of its outcomes (docs/guide/standalone.md). A test that consists of
/// kernels and launches keeps the text of its kernels (`kernels`), if its outcomes need no registers. For every other
/// test, the program has a kernel that calls a function for each thread of the test. Ambit reads the program as the
/// same test, with other names of threads and registers. Errors, located in the test: features without an equivalent in
/// CUDA C++.
Result<std::string> program_text(const Program& program, const std::optional<parser::KernelText>& kernels,
                                 const LogStyle& log);

}  // namespace ambit::standalone
