#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "core/context.h"
#include "model/eval/fitted_rules.h"
#include "model/events/execution.h"
#include "model/events/symmetry.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// Answers by enumerating candidate executions one by one: the oracle that the symbolic engine is measured against.
/// Exact; stops with Answers::unknown set when the context says so, and after about `most_steps` looks at a partial or
/// whole candidate (1 to 10 microseconds each). `symmetry`: of executions that differ only in threads and blocks that
/// can be exchanged some are left out; the answers are the same, Questions::count excepted, which must not be asked
/// then.
events::Answers enumerate(const events::EventGraph& graph, const rules::Rules& rules,
                          const events::Questions& questions, Context& context,
                          std::optional<std::uint64_t> most_steps = std::nullopt,
                          const events::Symmetry& symmetry = {});

/// The same for a model that is compiled already.
events::Answers enumerate(const events::EventGraph& graph, const FittedModel& model, const events::Questions& questions,
                          Context& context, std::optional<std::uint64_t> most_steps = std::nullopt,
                          const events::Symmetry& symmetry = {});

/// A guess, cheap to make, of how many candidates `enumerate` would look at if its pruning found nothing: an upper end
/// rather than a mean. Infinite where values cannot be followed, and where the limits of the context are reached. A
/// candidate costs some 5 to 30 microseconds. `enough`: nobody asks how far the guess is above that; less work.
double estimated_candidates(const events::EventGraph& graph, const rules::Rules& rules, Context& context,
                            double enough = std::numeric_limits<double>::infinity());

}  // namespace ambit::eval
