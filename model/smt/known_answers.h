#pragma once

#include <set>
#include <tuple>

#include "model/events/execution.h"
#include "model/smt/problem.h"

namespace ambit::smt {

/// Pairs that flags relate in executions that are already known.
class KnownFlags {
 public:
  explicit KnownFlags(const events::Answers& known);

  /// Returns the execution in which the pair is flagged, in either direction; null if no such execution is known.
  std::shared_ptr<const events::Execution> witness(std::uint32_t flag, events::EventId a, events::EventId b) const;

 private:
  std::map<std::tuple<std::uint32_t, events::EventId, events::EventId>, std::shared_ptr<const events::Execution>>
      witnesses_;
};

/// Returns whether `known` answers all questions that have no obvious answer. Obvious answers: no pair at other places
/// can be flagged, no incident can happen, and no loop can exceed its bound. In this case, sets the literals of
/// `problem` for an Interrogation that receives `known`. Otherwise the caller must call the problem's encode().
bool settle(Problem& problem, const events::EventGraph& graph, const rules::Rules& rules,
            const events::Questions& questions, const events::Answers& known);

}  // namespace ambit::smt
