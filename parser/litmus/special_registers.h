#pragma once

#include <optional>
#include <string_view>

#include "parser/litmus/operand.h"
#include "parser/litmus/threads.h"

namespace ambit::parser::litmus {

/// Returns the value of a PTX special register in a thread, for example "%tid.x" (PTX ISA 10). Values that depend on
/// the machine are opaque, for example clocks and the number of the multiprocessor. A cluster consists of consecutive
/// blocks along x. Returns nothing for an unknown register. Outside of kernels, also returns nothing for registers that
/// only kernels have.
std::optional<Operand> special_register(const ThreadSetting& setting, std::string_view name);

}  // namespace ambit::parser::litmus
