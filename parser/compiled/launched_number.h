#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parser/compiled/element_type.h"
#include "parser/text/memory_table.h"

namespace ambit::parser::compiled {

/// Evaluates a constant in a launch and returns its bits after conversion to `type`. `name` is the user's spelling of
/// the type; `name` is empty if the type comes from the kernel. Reports an error if the expression is not constant, if
/// the number is out of range, or if the number is floating-point and the type is an integer type.
std::optional<std::uint64_t> launched_number(const ExprNode& node, const ElementType& type, std::string_view name,
                                             MemoryTable& memory, Reporter& reporter);

}  // namespace ambit::parser::compiled
