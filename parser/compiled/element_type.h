#pragma once

#include <cstdint>
#include <optional>

#include "parser/compiled/flat_code.h"

namespace ambit::parser::compiled {

/// What the elements of an array are.
struct ElementType {
  std::uint32_t bytes = 4;
  bool is_floating = false;
  bool is_untyped = false;  ///< bits, which may be of a floating-point number
};

/// Returns the type of the elements behind the pointer at byte `offset` of parameter `i` of a kernel: the one that all
/// accesses through the pointer have; else that of the parameter in the mangled name. Nothing: the accesses differ, or
/// the pointer is passed on, and the mangled name does not tell either.
std::optional<ElementType> element_type(const assembly::Module& module, const assembly::Function& kernel, std::size_t i,
                                        std::uint64_t offset);

}  // namespace ambit::parser::compiled
