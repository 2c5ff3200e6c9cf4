#pragma once

#include <optional>

#include "model/rules/rules.h"

namespace ambit::smt {

/// Returns an equivalent model in which acyclicity occurs only in axioms that are not negated: `~acyclic r` and flags
/// on cycles become tests of r+. A cycle is a reflexive pair of r+, and its edges are r & (r+)^-1. Returns nothing if
/// `rules` already has this form.
std::optional<rules::Rules> normalized(const rules::Rules& rules);

}  // namespace ambit::smt
