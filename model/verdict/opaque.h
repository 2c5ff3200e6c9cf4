#pragma once

#include <optional>
#include <string>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Returns the first place at which an opaque value affects the program's behaviour so that all answers are unknown.
std::optional<OpaqueUse> use_that_hides_everything(const Program& program);

/// Makes all answers Unknown because of `use`.
void leave_unknown(Verdict& verdict, const OpaqueUse& use);

/// Removes the answers that depend on opaque values: the answers about a condition that observes an opaque value, and
/// the number of executions if branches were explored in both directions.
void limit_by_opaque_uses(Verdict& verdict, const events::Questions& questions);

/// Returns the assumption that positive answers make under --opaque-branches, such as "if the branch in line 12 can go
/// either way". Returns an empty string without an assumption.
std::string opaque_assumption(const Program& program);

}  // namespace ambit::verdict
