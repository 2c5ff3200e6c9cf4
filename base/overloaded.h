#pragma once

#include <concepts>

namespace ambit {

/// A visitor of a std::variant. The visitor combines several functions, one for each alternative. Unless a function is
/// generic, the visitor compiles only if it has a function for every alternative of the variant.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;  // Clang before version 17 needs this deduction guide

/// Only the listed types satisfy this concept. A visitor uses the concept for alternatives that need the same code:
/// `[](const OneOf<Jump, Fence> auto&) {}`.
template <typename T, typename... Listed>
concept OneOf = (std::same_as<T, Listed> || ...);

}  // namespace ambit
