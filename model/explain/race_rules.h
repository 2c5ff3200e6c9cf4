#pragma once

#include <vector>

#include "model/rules/rules.h"

namespace ambit::explain {

/// The parts of a race flag of the form conflict \ exception \ exception ...
struct RaceRule {
  struct Exception {
    rules::TermId term = 0;     ///< never an inverse; (a, b) is an exception if the term contains (a, b) or (b, a)
    bool is_condition = false;  ///< whether the exception is a property of the two events rather than an order
  };
  rules::TermId conflict = 0;
  std::vector<Exception> exceptions;  ///< in the order of the flag
  bool is_difference = false;         ///< false if the flag has another form
};

RaceRule race_rule(const rules::Rules& rules, const rules::Flag& flag);

/// Returns, for each term, whether it is a condition: the term consists only of sets and of relations for a common
/// property of two events (same location, same block, a product of sets). A condition is a property of two events
/// rather than a step from one event to the other.
std::vector<bool> find_conditions(const rules::Rules& rules);

}  // namespace ambit::explain
