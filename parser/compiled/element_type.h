#pragma once

#include <cstdint>
#include <optional>

#include "parser/compiled/flat_code.h"

namespace ambit::parser::compiled {

/// The type of the elements of an array, as far as a launch needs it.
struct ElementType {
  std::uint32_t bytes = 4;
  bool is_floating = false;
  bool is_untyped = false;  ///< bits, which may be of a floating-point number
};

/// Returns the type of the elements to which a pointer points. The pointer is at byte `offset` of parameter `i` of the
/// kernel. If all accesses through it have one type, that is the type; else it is the type in the mangled name. Returns
/// nothing if the accesses differ, or the pointer is passed on, and the mangled name has no type of numbers.
std::optional<ElementType> element_type(const assembly::Module& module, const assembly::Function& kernel, std::size_t i,
                                        std::uint64_t offset);

}  // namespace ambit::parser::compiled
