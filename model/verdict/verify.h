#pragma once

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Evaluates each witness in the answers again with the concrete evaluator. The witness must be a candidate execution
/// that the model allows, and must show its property (the proposition's value, the flagged pair, the incident). An
/// engine that returns a wrong witness has a bug: throws InternalError with the model, the question and the flaw.
/// `rules` is the model, or its reduction for programs like this one. `questions` are the questions that the engine
/// answered. If the limits of `context` and some extra time are exceeded, answers with unchecked witnesses become
/// Unknown. Checks races first.
void verify_witnesses(Verdict& verdict, const rules::Rules& rules, const events::Questions& questions,
                      const Context& context);

}  // namespace ambit::verdict
