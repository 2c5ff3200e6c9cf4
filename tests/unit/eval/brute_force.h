#pragma once

#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval::testing {

/// Computes the answers by definition, for programs of a few events. Tries every function from reads to writes with
/// every order of writes and every declared order, and checks each candidate with find_flaw.
struct BruteForce {
  std::uint64_t executions = 0;
  std::vector<events::Outcome> outcomes;  ///< sorted, unique
  /// The pairs of each flag, in the form of Answers.
  std::vector<std::vector<std::pair<events::EventId, events::EventId>>> flags;
};
BruteForce enumerate_by_force(const events::EventGraph& graph, const rules::Rules& rules);

/// Returns an upper bound on the number of candidates.
double brute_force_size(const events::EventGraph& graph, const rules::Rules& rules);

}  // namespace ambit::eval::testing
