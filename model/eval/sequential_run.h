#pragma once

#include "core/context.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// What a few executions show in which the threads take turns, each from barrier to barrier. On large programs it is
/// found long before an engine has begun. All that is not shown stays Unknown; every witness has been checked. Throws
/// Stopped.
events::Answers answers_of_sequential_runs(const events::EventGraph& graph, const rules::Rules& rules,
                                           const events::Questions& questions, Context& context);

}  // namespace ambit::eval
