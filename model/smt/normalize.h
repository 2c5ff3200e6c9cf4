#pragma once

#include <optional>

#include "model/rules/rules.h"

namespace ambit::smt {

/// The same model with acyclicity only where an axiom asks for it unnegated: `~acyclic r` and flags on cycles become
/// questions about r+ (a cycle is a reflexive pair of r+; its edges are r & (r+)^-1). Nothing when `rules` is so
/// already.
std::optional<rules::Rules> normalized(const rules::Rules& rules);

}  // namespace ambit::smt
