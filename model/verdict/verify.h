#pragma once

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Re-evaluates every witness in the answers with the concrete evaluator. It must be a candidate execution that the
/// model allows, and it must show the property that it is a witness of (the proposition's value, the flagged pair, the
/// incident). An engine that passes a wrong witness has a bug: throws InternalError with the model, the question and
/// the flaw. `rules`: the model, or its reduction for programs like this one. `questions`: those that the engine
/// answered. If the limits of `context` and some extra time are exceeded, answers with unchecked witnesses become
/// Unknown. Checks races first.
void verify_witnesses(Verdict& verdict, const rules::Rules& rules, const events::Questions& questions,
                      const Context& context);

}  // namespace ambit::verdict
