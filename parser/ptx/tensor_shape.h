#pragma once

#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::parser::ptx {

inline constexpr Value kMostDimensions = 5;  ///< of a tensor
inline constexpr Value kMapBytes = 128;      ///< size of a tensor map
inline constexpr std::string_view kTensorMapForm = "t = tensormap(ARRAY, {SIZES}, {BOX}), the innermost first";

/// The shape of an array as a tensor, and the size of the box that a tensor copy accesses (PTX ISA, "Tensors"). The
/// innermost dimension is first.
struct TensorShape {
  std::vector<Value> sizes;  ///< number of elements in each dimension
  std::vector<Value> box;
  Value element_bytes = 4;

  Value box_bytes() const;
  /// Returns the size of a row of the box in bytes. The bytes of a row are contiguous.
  Value row_bytes() const { return box[0] * element_bytes; }
  /// Returns an error message if the sizes are invalid for an array of `length` elements; otherwise, an empty string.
  std::string flaw(Value length) const;
  /// Returns an error message if a box cannot begin at these coordinates; otherwise, an empty string. `coordinates`
  /// contains one number for each dimension.
  std::string box_flaw(const std::vector<Value>& coordinates) const;
  /// Returns the array index of the first element of each row of the box, in the order of shared memory. Precondition:
  /// box_flaw() is empty.
  std::vector<Value> rows(const std::vector<Value>& coordinates) const;
};

}  // namespace ambit::parser::ptx
