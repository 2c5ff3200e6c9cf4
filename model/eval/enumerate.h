#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "base/context.h"
#include "model/eval/fitted_rules.h"
#include "model/events/execution.h"
#include "model/events/symmetry.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// Answers by enumerating candidate executions one by one. The answers are exact; tests compare the symbolic engine
/// with them. Stops with Answers::unknown set at a limit of the context, and after about `most_steps` steps on a
/// partial or whole candidate (1 to 10 microseconds each). With `symmetry`, omits some of the executions that differ
/// only in exchangeable threads and blocks. The answers remain the same except for Questions::count, which the caller
/// must not request with `symmetry`.
events::Answers enumerate(const events::EventGraph& graph, const rules::Rules& rules,
                          const events::Questions& questions, Context& context,
                          std::optional<std::uint64_t> most_steps = std::nullopt,
                          const events::Symmetry& symmetry = {});

/// Like enumerate() above, for a model that is already compiled.
events::Answers enumerate(const events::EventGraph& graph, const FittedModel& model, const events::Questions& questions,
                          Context& context, std::optional<std::uint64_t> most_steps = std::nullopt,
                          const events::Symmetry& symmetry = {});

/// Estimates how many candidates `enumerate` would visit without pruning. The estimate is cheap, and an upper bound
/// rather than a mean. It is infinite if values cannot be followed, or if a limit of the context is reached. A
/// candidate costs about 5 to 30 microseconds. Estimates above `enough` need not be exact, which saves work.
double estimated_candidates(const events::EventGraph& graph, const rules::Rules& rules, Context& context,
                            double enough = std::numeric_limits<double>::infinity());

}  // namespace ambit::eval
