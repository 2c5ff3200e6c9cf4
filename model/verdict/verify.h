#pragma once

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Checks each witness in the answers with the concrete evaluator. A witness must be a candidate execution that the
/// model allows, and must show its property (the proposition's value, the flagged pair, the incident). If a witness is
/// wrong, the engine has a bug, and the function throws an InternalError that names the model, the question and the
/// flaw. `rules` is the model, or the model adapted to the program (FittedRules). `questions` are the questions that
/// the engine answered. If the limits of `context` and a grace period are exceeded, answers with unchecked witnesses
/// become Unknown. Checks races first.
void verify_witnesses(Verdict& verdict, const rules::Rules& rules, const events::Questions& questions,
                      const Context& context);

}  // namespace ambit::verdict
