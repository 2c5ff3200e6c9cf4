#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parser/compiled/element_type.h"
#include "parser/text/memory_table.h"

namespace ambit::parser::compiled {

/// Returns the bits of a constant as a number of `type`. `name`: the user's spelling of that type; empty: the type
/// comes from the kernel. Errors, reported: no constant, a number out of range, a floating-point number for an integer.
std::optional<std::uint64_t> launched_number(const ExprNode& node, const ElementType& type, std::string_view name,
                                             MemoryTable& memory, Reporter& reporter);

}  // namespace ambit::parser::compiled
