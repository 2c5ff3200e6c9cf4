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
  /// Rounds a number to the element type, and appends its bytes to `bytes`. The element type must be known.
  void append(double number, std::vector<std::uint8_t>& bytes) const;
  /// Returns element `index`. Large integers are rounded.
  double number(std::span<const std::uint8_t> bytes, std::uint64_t index) const;
  /// Returns element `index` as a decimal number or, if the type is unknown, its bits in hexadecimal.
  std::string text(std::span<const std::uint8_t> bytes, std::uint64_t index) const;

 private:
  std::uint64_t bits(std::span<const std::uint8_t> bytes, std::uint64_t index) const;

  parser::LaunchedArray::Numbers numbers_;
  std::uint32_t bytes_;
};

}  // namespace ambit::api
