#pragma once

#include "base/context.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// Answers from a few executions in which the threads take turns, from barrier to barrier. On large programs these
/// answers are available long before an engine has begun. All other answers stay Unknown. Each witness has been
/// checked. Throws Stopped.
events::Answers answers_of_sequential_runs(const events::EventGraph& graph, const rules::Rules& rules,
                                           const events::Questions& questions, Context& context);

}  // namespace ambit::eval
