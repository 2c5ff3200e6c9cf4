#pragma once

#include <set>
#include <tuple>

#include "model/events/execution.h"
#include "model/smt/problem.h"

namespace ambit::smt {

/// The pairs that flags relate in already known executions.
class KnownFlags {
 public:
  explicit KnownFlags(const events::Answers& known);

  /// Returns the execution in which the pair is flagged, in either direction; null if no such execution is known.
  std::shared_ptr<const events::Execution> witness(std::uint32_t flag, events::EventId a, events::EventId b) const;

 private:
  std::map<std::tuple<std::uint32_t, events::EventId, events::EventId>, std::shared_ptr<const events::Execution>>
      witnesses_;
};

/// Returns whether `known` answers all questions without an obvious answer. Obvious answers are: no pair at other
/// places can be flagged, no incident can happen, and no loop can exceed its bound. If true, sets the literals of
/// `problem` for an Interrogation that receives `known`. If false, the caller must call the problem's encode().
bool settle(Problem& problem, const events::EventGraph& graph, const rules::Rules& rules,
            const events::Questions& questions, const events::Answers& known);

}  // namespace ambit::smt
