#pragma once

#include <optional>
#include <string>

#include "core/program.h"
#include "parser/kernel_text.h"
#include "runner/standalone/log_style.h"

namespace ambit::standalone {

/// Returns the program for a test that consists of kernels and launches. The text of the kernels is unmodified. Returns
/// nothing if the condition needs registers or shared memory, which the host cannot read.
std::optional<std::string> kernels_text(const Program& program, const parser::KernelText& kernels, const LogStyle& log);

}  // namespace ambit::standalone
