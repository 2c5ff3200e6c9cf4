#pragma once

#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval::testing {

/// Computes the answers by definition, for programs with few events. A candidate chooses a write for each read, an
/// order of the writes, and the declared orders. Tries all candidates and checks each with find_flaw.
struct BruteForce {
  std::uint64_t executions = 0;
  std::vector<events::Outcome> outcomes;  ///< sorted, unique
  /// For each flag, its pairs of events, as in Answers.
  std::vector<std::vector<std::pair<events::EventId, events::EventId>>> flags;
};
BruteForce enumerate_by_force(const events::EventGraph& graph, const rules::Rules& rules);

/// Returns an upper bound on the number of candidates.
double brute_force_size(const events::EventGraph& graph, const rules::Rules& rules);

}  // namespace ambit::eval::testing
