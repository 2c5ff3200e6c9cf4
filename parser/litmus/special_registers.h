#pragma once

#include <optional>
#include <string_view>

#include "parser/litmus/operand.h"
#include "parser/litmus/threads.h"

namespace ambit::parser::litmus {

/// Returns the value of a PTX special register, for example "%tid.x", in a thread (PTX ISA 10). The value is opaque if
/// the machine chooses it (clocks, the number of the multiprocessor). Clusters are consecutive blocks along x. Returns
/// nothing for an unknown register, and outside of kernels for a register that needs a kernel.
std::optional<Operand> special_register(const ThreadSetting& setting, std::string_view name);

}  // namespace ambit::parser::litmus
