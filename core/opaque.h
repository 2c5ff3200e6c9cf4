#pragma once

#include "core/program.h"

namespace ambit {

/// Propagates opaque values (OpaqueUse) from the registers and memory that are already marked as opaque. Marks all
/// registers and memory that may hold an opaque value, and every access to this memory. Fills Program::opaque_uses. The
/// analysis is flow-insensitive. If `explore_branches` is true, branches and compare-and-swaps that depend on opaque
/// values may have either result. Does nothing if the program has no opaque registers and no opaque memory.
void follow_opaque_values(Program& program, bool explore_branches);

/// Returns whether some register or memory of the program is marked as opaque.
bool has_opaque_values(const Program& program);

/// Returns the sum of the constants in an address expression: the object's address plus the constant parts of indices.
/// Returns nothing if another part of the sum may be an address.
std::optional<Value> constant_part(const Expr& address);

/// Returns an error at the first use of an opaque value. Ambit cannot run a program with uses of opaque values
/// (OpaqueUse). Returns an empty list if the program can run.
Diagnostics opaque_objections(const Program& program);

/// If the program has neither a condition nor a filter, removes opaque registers and cells from its observables.
void hide_opaque_observables(Program& program);

}  // namespace ambit
