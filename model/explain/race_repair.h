#pragma once

#include <memory>

#include "model/explain/race_causes.h"

namespace ambit::explain {

/// What a race was found in.
struct RaceSetting {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const events::EventGraph> graph;
  std::shared_ptr<const rules::Rules> rules;
};

/// The changes of least weight that remove the race: every candidate of that weight that does, none with a change that
/// could be left out. Empty: none of them does, or the limits were reached before one was found.
FoundRepairs find_repairs(verdict::Checker& checker, const RaceSetting& setting, const ExplainedRace& race,
                          const verdict::CheckOptions& options, Context& context);

}  // namespace ambit::explain
