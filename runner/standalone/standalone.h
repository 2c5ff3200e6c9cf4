#pragma once

#include <optional>
#include <string>

#include "core/program.h"
#include "core/source.h"
#include "parser/kernel_text.h"
#include "runner/standalone/log_style.h"

/// Tests as whole CUDA programs.
namespace ambit::standalone {

/// The test as a CUDA C++ program with main, which depends on CUDA's own headers only: it launches the test as often as
/// `--runs` says and prints a histogram of its outcomes (docs/standalone.md). A test that was launched keeps the text
/// of its kernels (`kernels`) if its outcomes need no registers; every other test gets a kernel that calls a function
/// for each of its threads. Ambit reads the program as the same test, with threads and registers of other names.
/// Errors, located in the test: what CUDA C++ cannot say.
Result<std::string> program_text(const Program& program, const std::optional<parser::KernelText>& kernels,
                                 const LogStyle& log);

}  // namespace ambit::standalone
