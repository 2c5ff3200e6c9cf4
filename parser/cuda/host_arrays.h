#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "parser/cuda/host_function.h"
#include "parser/cuda/host_uses.h"
#include "parser/cuda/host_values.h"
#include "parser/cuda/token.h"

namespace ambit::parser::cuda {

/// The contents of a host function's integer arrays and vectors, which loops and single stores fill: `int h[4]; for
/// (int i = 0; i < 4; ++i) h[i] = i;`, `std::vector<int> h(n, 1);`.
class HostArrays {
 public:
  HostArrays(const HostFunction& function, const HostUses& uses, HostValues& values, DeviceCode& device)
      : function_(function), uses_(uses), values_(values), device_(device) {}

  /// Returns the words of the element type of a vector; nothing for other variables.
  static std::optional<Tokens> vector_element(const HostFunction& function, std::size_t declared);
  /// Returns the number of elements; nothing if it is not a constant.
  std::optional<std::int64_t> length(std::size_t declared);
  /// Returns the values at index `at` of the function; nothing if they are unknown.
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
