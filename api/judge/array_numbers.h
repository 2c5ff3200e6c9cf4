#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "parser/module_launch.h"

namespace ambit::api {

/// Converts between the numbers of an array and their bytes.
class ArrayNumbers {
 public:
  explicit ArrayNumbers(const parser::LaunchedArray& array) : numbers_(array.numbers), bytes_(array.bytes) {}

  bool is_floating() const;
  /// Returns whether `number` is an integer that the element type can hold exactly; true for floating-point types.
  bool holds(double number) const;
  /// Writes a number, rounded to the element type, at the end of `bytes`. Requires numbers of a known type.
  void append(double number, std::vector<std::uint8_t>& bytes) const;
  /// Returns element `index`. Large integers are rounded.
  double number(std::span<const std::uint8_t> bytes, std::uint64_t index) const;
  /// Returns element `index` as a decimal number, or its bits in hexadecimal form if the type is unknown.
  std::string text(std::span<const std::uint8_t> bytes, std::uint64_t index) const;

 private:
  std::uint64_t bits(std::span<const std::uint8_t> bytes, std::uint64_t index) const;

  parser::LaunchedArray::Numbers numbers_;
  std::uint32_t bytes_;
};

}  // namespace ambit::api
