#pragma once

#include <type_traits>
#include <variant>

#include "model/rules/rules.h"

namespace ambit::rules {

template <typename Operator>
concept UnaryOperator = requires(const Operator& o) {
  o.argument;
};
template <typename Operator>
concept BinaryOperator = requires(const Operator& o) {
  o.left;
  o.right;
};

/// Calls function(TermId) for each argument of `term`, from left to right. Leaves have no arguments. A FixpointTerm
/// also has no arguments; its body is in Rules::fixpoints.
template <typename Function>
void for_each_argument(const Term& term, Function&& function) {
  std::visit(
      [&](const auto& op) {
        using Operator = std::decay_t<decltype(op)>;
        if constexpr (BinaryOperator<Operator>) {
          function(op.left);
          function(op.right);
        } else if constexpr (UnaryOperator<Operator>) {
          function(op.argument);
        } else if constexpr (std::is_same_v<Operator, SetIdentity>) {
          function(op.set);
        }
      },
      term);
}

/// Replaces each argument `a` of `term` by `replace(a)`, and returns the result.
template <typename Function>
Term map_arguments(Term term, Function&& replace) {
  std::visit(
      [&](auto& op) {
        using Operator = std::decay_t<decltype(op)>;
        if constexpr (BinaryOperator<Operator>) {
          op.left = replace(op.left);
          op.right = replace(op.right);
        } else if constexpr (UnaryOperator<Operator>) {
          op.argument = replace(op.argument);
        } else if constexpr (std::is_same_v<Operator, SetIdentity>) {
          op.set = replace(op.set);
        }
      },
      term);
  return term;
}

}  // namespace ambit::rules
