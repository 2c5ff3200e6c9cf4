#pragma once

#include <set>
#include <tuple>

#include "model/events/execution.h"
#include "model/smt/problem.h"

namespace ambit::smt {

/// Pairs that flags relate in executions that somebody has found already.
class KnownFlags {
 public:
  explicit KnownFlags(const events::Answers& known);

  /// The execution in which the pair is flagged, whichever way round; null: none is known.
  std::shared_ptr<const events::Execution> witness(std::uint32_t flag, events::EventId a, events::EventId b) const;

 private:
  std::map<std::tuple<std::uint32_t, events::EventId, events::EventId>, std::shared_ptr<const events::Execution>>
      witnesses_;
};

/// True where `known` answers all questions but those whose answer is plain without encoding anything: no pair of any
/// further place can be flagged, no incident can happen, no loop can run past its bound. Then the literals of `problem`
/// are set for an Interrogation that is given `known`; otherwise its encode() is due.
bool settle(Problem& problem, const events::EventGraph& graph, const rules::Rules& rules,
            const events::Questions& questions, const events::Answers& known);

}  // namespace ambit::smt
