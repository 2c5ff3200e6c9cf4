#pragma once

#include <optional>

#include "model/rules/rules.h"

namespace ambit::smt {

/// Returns an equivalent model in which the test acyclic occurs only in axioms that are not negated: `~acyclic r` and
/// flags on cycles become tests of r+. A cycle of r is a reflexive pair of r+, and the edges of cycles are r & (r+)^-1.
/// Returns nothing if `rules` already has this form.
std::optional<rules::Rules> normalized(const rules::Rules& rules);

}  // namespace ambit::smt
