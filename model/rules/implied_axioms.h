#pragma once

#include "model/rules/rules.h"

namespace ambit::rules {

/// Returns an equivalent model with fewer and cheaper axioms: it allows the same executions and raises the same flags.
///
/// - An axiom `acyclic r` or `irreflexive r` is removed if another axiom requires that a relation is acyclic that
///   contains r by the shape of the terms, in every execution.
/// - `irreflexive r+` becomes `acyclic r`, and r+ becomes r if it is a part of a union that must be acyclic.
Rules without_implied_axioms(const Rules& rules);

}  // namespace ambit::rules
