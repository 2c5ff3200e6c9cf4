#pragma once

#include "model/rules/rules.h"

namespace ambit::rules {

/// Returns an equivalent model with fewer and cheaper axioms. The new model allows the same executions and raises the
/// same flags as `rules`.
///
/// - An axiom `acyclic r` or `irreflexive r` is removed if another axiom requires that a relation s is acyclic, and the
///   form of the terms shows that s contains r in all executions.
/// - `irreflexive r+` becomes `acyclic r`, and r+ becomes r if it is a part of a union that must be acyclic.
Rules without_implied_axioms(const Rules& rules);

}  // namespace ambit::rules
