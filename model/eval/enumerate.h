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

/// Answers the questions by enumerating candidate executions one by one. The answers are exact; tests compare the
/// symbolic engine's answers with them. Sets Answers::unknown if a limit of the context is reached, or after about
/// `most_steps` steps. A step handles a partial or complete candidate and takes 1 to 10 microseconds. With `symmetry`,
/// omits an execution if it differs from another execution only by an exchange of threads or blocks. The omission
/// changes no answer except Questions::count, which the caller must not request with `symmetry`.
events::Answers enumerate(const events::EventGraph& graph, const rules::Rules& rules,
                          const events::Questions& questions, Context& context,
                          std::optional<std::uint64_t> most_steps = std::nullopt,
                          const events::Symmetry& symmetry = {});

/// Like enumerate() above, for a model that is already compiled.
events::Answers enumerate(const events::EventGraph& graph, const FittedModel& model, const events::Questions& questions,
                          Context& context, std::optional<std::uint64_t> most_steps = std::nullopt,
                          const events::Symmetry& symmetry = {});

/// Estimates how many candidates enumerate() would visit without pruning. The estimate is cheap to compute and tends to
/// be too high. The estimate is infinite if the values of reads are unknown or a limit of the context is reached. A
/// candidate takes about 5 to 30 microseconds. To save work, the function computes an estimate only roughly once it
/// exceeds `enough`.
double estimated_candidates(const events::EventGraph& graph, const rules::Rules& rules, Context& context,
                            double enough = std::numeric_limits<double>::infinity());

}  // namespace ambit::eval
