#pragma once

#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::parser::ptx {

inline constexpr Value kMostDimensions = 5;  ///< of a tensor
inline constexpr Value kMapBytes = 128;      ///< of a tensor map
inline constexpr std::string_view kTensorMapForm = "t = tensormap(ARRAY, {SIZES}, {BOX}), the innermost first";

/// An array as a tensor, and the box that one tensor copy moves (PTX ISA, "Tensors"). The innermost dimension is first.
struct TensorShape {
  std::vector<Value> sizes;  ///< elements in each dimension
  std::vector<Value> box;
  Value element_bytes = 4;

  Value box_bytes() const;
  /// The bytes of the box that follow each other in memory.
  Value row_bytes() const { return box[0] * element_bytes; }
  /// What is wrong with the numbers of a tensor in an array of `length` elements; empty: nothing.
  std::string flaw(Value length) const;
  /// Why no box begins at these coordinates, one for each dimension; empty: one does.
  std::string box_flaw(const std::vector<Value>& coordinates) const;
  /// The index in the array of the first element of each row of the box, in the order in which shared memory has them.
  /// Precondition: box_flaw() is empty.
  std::vector<Value> rows(const std::vector<Value>& coordinates) const;
};

}  // namespace ambit::parser::ptx
