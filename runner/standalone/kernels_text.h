#pragma once

#include <optional>
#include <string>

#include "core/program.h"
#include "parser/kernel_text.h"
#include "runner/standalone/log_style.h"

namespace ambit::standalone {

/// Returns the program of a test that was launched, with the unmodified text of its kernels. Nothing: its condition
/// needs registers or shared memory, which only the kernel sees.
std::optional<std::string> kernels_text(const Program& program, const parser::KernelText& kernels, const LogStyle& log);

}  // namespace ambit::standalone
