#pragma once

#include <concepts>

namespace ambit {

/// The visitor of a std::variant, made of one function for each alternative. If the visitors of a variant have no
/// generic function, a new alternative is a compile error until each visitor has a function for it.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

/// Only the listed types satisfy this concept. A visitor uses the concept for alternatives that need the same code:
/// `[](const OneOf<Jump, Fence> auto&) {}`.
template <typename T, typename... Listed>
concept OneOf = (std::same_as<T, Listed> || ...);

}  // namespace ambit
