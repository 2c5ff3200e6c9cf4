#pragma once

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Re-evaluates every witness in the answers with the concrete evaluator: it must be a candidate execution that the
/// model allows, and it must show what it is a witness of (the proposition's value, the flagged pair, the incident).
/// An engine that passes a wrong witness has a bug: throws InternalError naming the model, the question and the flaw.
/// `rules` are the model, or what is left of it for programs like this one; `questions` are those that were asked.
/// Where the limits of `context` are reached, and some time for that is over as well, the answers whose witnesses are
/// not checked become Unknown. Races are checked first.
void verify_witnesses(Verdict& verdict, const rules::Rules& rules, const events::Questions& questions,
                      const Context& context);

}  // namespace ambit::verdict
