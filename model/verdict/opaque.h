#pragma once

#include <optional>
#include <string>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Returns the first place where an opaque value decides the program's behaviour, so that no answer is known.
std::optional<OpaqueUse> use_that_hides_everything(const Program& program);

/// Makes all answers Unknown because of `use`.
void leave_unknown(Verdict& verdict, const OpaqueUse& use);

/// Withdraws the answers that depend on opaque values: the answers about a condition that observes an opaque value, and
/// the number of executions if branches were explored both ways.
void limit_by_opaque_uses(Verdict& verdict, const events::Questions& questions);

/// Returns the assumption of positive answers under --opaque-branches: "if the branch in line 12 can go either way".
/// Empty if the answers assume nothing.
std::string opaque_assumption(const Program& program);

}  // namespace ambit::verdict
