#pragma once

#include "model/rules/rules.h"

namespace ambit::rules {

/// Returns an equivalent model with fewer and cheaper axioms: the new model allows the same executions as `rules` and
/// raises the same flags.
///
/// - An axiom `acyclic r` or `irreflexive r` is removed if another axiom requires that a relation s is acyclic, and the
///   form of the terms shows that s contains r in all executions.
/// - `irreflexive r+` becomes `acyclic r`. In a union that must be acyclic, the part r+ becomes r.
Rules without_implied_axioms(const Rules& rules);

}  // namespace ambit::rules
