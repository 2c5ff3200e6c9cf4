#pragma once

#include <memory>

#include "model/explain/race_causes.h"

namespace ambit::explain {

/// The program, graph and model of a race.
struct RaceSetting {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const events::EventGraph> graph;
  std::shared_ptr<const rules::Rules> rules;
};

/// Returns those candidates of least weight that remove the race and have no unnecessary change. Returns nothing if no
/// candidate removes the race, or if a limit is reached first.
FoundRepairs find_repairs(verdict::Checker& checker, const RaceSetting& setting, const ExplainedRace& race,
                          const verdict::CheckOptions& options, Context& context);

}  // namespace ambit::explain
