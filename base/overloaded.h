#pragma once

#include <concepts>

namespace ambit {

/// The visitor of a std::variant, made of one function for each alternative. Without a generic function, a new
/// alternative does not compile until each visitor has a function for it.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

/// Is satisfied by the listed types: for alternatives of a variant that a visitor treats alike,
/// `[](const OneOf<Jump, Fence> auto&) {}`.
template <typename T, typename... Listed>
concept OneOf = (std::same_as<T, Listed> || ...);

}  // namespace ambit
