#pragma once

#include "base/context.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"

namespace ambit::eval {

/// Returns the answers of a few executions in which the threads run one after the other, from barrier to barrier. For
/// large programs, these answers are available long before an engine begins. All other answers remain Unknown. The
/// function checks each witness. Throws Stopped.
events::Answers answers_of_sequential_runs(const events::EventGraph& graph, const rules::Rules& rules,
                                           const events::Questions& questions, Context& context);

}  // namespace ambit::eval
