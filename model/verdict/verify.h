#pragma once

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Re-evaluates every witness in the answers with the concrete evaluator: it must be a candidate execution that the
/// model allows, and it must show what it is a witness of (the proposition's value, the flagged pair, the incident).
/// An engine that passes a wrong witness has a bug: throws InternalError naming the model, the question and the flaw.
/// `questions` are those that were asked.
void verify_witnesses(const Verdict& verdict, const events::Questions& questions);

}  // namespace ambit::verdict
