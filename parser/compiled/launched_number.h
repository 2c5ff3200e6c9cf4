#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parser/compiled/element_type.h"
#include "parser/text/memory_table.h"

namespace ambit::parser::compiled {

/// Returns the bits of a constant as a number of `type`. `name` is the user's spelling of the type; it is empty if the
/// type comes from the kernel. Reports an error if the expression is not constant, the number is out of range, or a
/// floating-point number is given for an integer.
std::optional<std::uint64_t> launched_number(const ExprNode& node, const ElementType& type, std::string_view name,
                                             MemoryTable& memory, Reporter& reporter);

}  // namespace ambit::parser::compiled
