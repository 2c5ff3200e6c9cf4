#pragma once

#include <optional>
#include <string_view>

#include "parser/litmus/operand.h"
#include "parser/litmus/threads.h"

namespace ambit::parser::litmus {

/// Returns the value of a special register of PTX, "%tid.x", in a thread: opaque if the machine chooses it (clocks, the
/// number of the multiprocessor). Clusters are consecutive blocks along x. Returns nothing for an unknown register, and
/// for a register that needs a kernel if the thread has none (PTX ISA 10).
std::optional<Operand> special_register(const ThreadSetting& setting, std::string_view name);

}  // namespace ambit::parser::litmus
