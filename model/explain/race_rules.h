#pragma once

#include <vector>

#include "model/rules/rules.h"

namespace ambit::explain {

/// The parts of a race flag: conflict \ exception \ exception ...
struct RaceRule {
  struct Exception {
    rules::TermId term = 0;     ///< not an inverse; (a, b) is an exception if the term has (a, b) or (b, a)
    bool is_condition = false;  ///< whether the exception is a property of the two events, and not an order
  };
  rules::TermId conflict = 0;
  std::vector<Exception> exceptions;  ///< in the model's sequence
  bool is_difference = false;         ///< false if the flag has another form
};

RaceRule race_rule(const rules::Rules& rules, const rules::Flag& flag);

/// Returns, for each term, whether it is a condition: it consists only of sets and of relations for a common property
/// of two events (same location, same block, a product of sets). A condition is a property of two events, and not a
/// step from one event to the other.
std::vector<bool> find_conditions(const rules::Rules& rules);

}  // namespace ambit::explain
