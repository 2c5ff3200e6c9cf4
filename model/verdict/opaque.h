#pragma once

#include <optional>
#include <string>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// The first place where an opaque value decides what a program does, so that no answer about it is known.
std::optional<OpaqueUse> use_that_hides_everything(const Program& program);

/// Makes every answer Unknown because of `use`.
void leave_unknown(Verdict& verdict, const OpaqueUse& use);

/// Takes back the answers that depend on opaque values: those about a condition that observes one, and the number of
/// executions where branches were explored both ways.
void limit_by_opaque_uses(Verdict& verdict, const events::Questions& questions);

/// "if the branch in line 12 can go either way": what answers of the kind "possible" take for granted under
/// --opaque-branches; empty where they take nothing for granted.
std::string opaque_assumption(const Program& program);

}  // namespace ambit::verdict
