#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "parser/cuda/launch/host_function.h"
#include "parser/cuda/launch/host_uses.h"
#include "parser/cuda/launch/host_values.h"
#include "parser/cuda/syntax/token.h"

namespace ambit::parser::cuda {

/// Computes the contents of integer arrays and vectors in a host function. Initializers, loops and single stores fill
/// the array: `int h[4]; for (int i = 0; i < 4; ++i) h[i] = i;`, `std::vector<int> h(n, 1);`.
class HostArrays {
 public:
  HostArrays(const HostFunction& function, const HostUses& uses, HostValues& values, DeviceCode& device)
      : function_(function), uses_(uses), values_(values), device_(device) {}

  /// Returns the tokens of the element type T if the variable is a std::vector<T>; nothing for other variables.
  static std::optional<Tokens> vector_element(const HostFunction& function, std::size_t declared);
  /// Returns the number of elements of an array or vector; nothing if the number is not a constant.
  std::optional<std::int64_t> length(std::size_t declared);
  /// Returns the contents of the array at token `at` of the function; nothing if the contents are unknown.
  std::optional<Tokens> contents(std::size_t declared, std::size_t at);

 private:
  using Cells = std::vector<std::optional<std::int64_t>>;

  bool fill_initially(std::size_t declared, Cells& cells);
  bool store(std::size_t place, std::size_t at, Cells& cells);
  bool store_in_loop(std::size_t place, std::size_t loop, std::size_t at, Cells& cells);
  std::optional<std::int64_t> number(Tokens tokens, std::size_t at, const Token* counter, std::int64_t value);
  std::optional<std::int64_t> number(const Tokens& tokens, std::size_t at) { return number(tokens, at, nullptr, 0); }
  std::optional<std::size_t> loop_around(std::size_t place) const;
  Tokens arguments_of(std::size_t declared) const;

  const HostFunction& function_;
  const HostUses& uses_;
  HostValues& values_;
  DeviceCode& device_;
};

}  // namespace ambit::parser::cuda
