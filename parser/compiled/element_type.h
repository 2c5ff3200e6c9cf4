#pragma once

#include <cstdint>
#include <optional>

#include "parser/compiled/flat_code.h"

namespace ambit::parser::compiled {

/// The properties of an array's element type that a launch needs.
struct ElementType {
  std::uint32_t bytes = 4;
  bool is_floating = false;
  bool is_untyped = false;  ///< whether only the size is known; the type may be floating-point
};

/// Returns the element type of the memory that a pointer points to. The pointer is at byte `offset` of the kernel's
/// parameter `i`. If all accesses through the pointer have the same size, the accesses determine the type. If the sizes
/// differ or are unknown, the parameter type in the kernel's mangled name determines the type. Returns nothing if the
/// mangled name has no number type.
std::optional<ElementType> element_type(const assembly::Module& module, const assembly::Function& kernel, std::size_t i,
                                        std::uint64_t offset);

}  // namespace ambit::parser::compiled
