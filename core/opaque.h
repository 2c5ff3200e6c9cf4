#pragma once

#include "core/program.h"

namespace ambit {

/// Finds the registers and memory that opaque values (OpaqueUse) can reach, flow-insensitively, from those that are
/// marked as opaque. Marks these and every access to such memory. Fills Program::opaque_uses. `explore_branches`: marks
/// branches and compare-and-swaps that depend on opaque values as going either way. Does nothing in a program without
/// opaque registers and memory.
void follow_opaque_values(Program& program, bool explore_branches);

/// Returns whether some register or memory of the program is marked as opaque.
bool has_opaque_values(const Program& program);

/// Returns the sum of the constants in an address expression: the address of an object and the constant parts of
/// indices. Returns nothing if another part of the sum may be an address.
std::optional<Value> constant_part(const Expr& address);

/// Returns why a program cannot run: an error at the first use of an opaque value; empty if it can run.
Diagnostics opaque_objections(const Program& program);

/// Removes opaque registers and cells from the observables of a program that has neither condition nor filter and only
/// lists its outcomes.
void hide_opaque_observables(Program& program);

}  // namespace ambit
