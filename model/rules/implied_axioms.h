#pragma once

#include "model/rules/rules.h"

namespace ambit::rules {

/// The same model with fewer and cheaper axioms: it allows the same executions and raises the same flags.
///
/// - An axiom `acyclic r` or `irreflexive r` goes where another axiom demands that a relation is acyclic of which r is
///   plainly a part: by the shape of the terms, whatever the execution.
/// - `irreflexive r+` becomes `acyclic r`, and r+ becomes r as a part of a union that must be acyclic.
Rules without_implied_axioms(const Rules& rules);

}  // namespace ambit::rules
