#pragma once

#include <optional>

#include "model/rules/rules.h"

namespace ambit::smt {

/// Returns an equivalent model in which acyclicity occurs only in unnegated axioms: `~acyclic r` and flags on cycles
/// become tests of r+ (a cycle is a reflexive pair of r+; its edges are r & (r+)^-1). Nothing if `rules` already has
/// that form.
std::optional<rules::Rules> normalized(const rules::Rules& rules);

}  // namespace ambit::smt
