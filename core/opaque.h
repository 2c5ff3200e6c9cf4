#pragma once

#include "core/program.h"

namespace ambit {

/// Finds out where opaque values (OpaqueUse) can go, flow-insensitively: from the registers and memory that are marked
/// as opaque, over assignments and memory, to all others. Marks these, and every access to such memory. Fills
/// Program::opaque_uses. `explore_branches`: marks the branches and compare-and-swaps that depend on opaque values as
/// going either way. Does nothing in a program without opaque registers and memory.
void follow_opaque_values(Program& program, bool explore_branches);

/// Some register or memory of the program is marked as opaque.
bool has_opaque_values(const Program& program);

/// The sum of the constants in an address expression, which is the address of an object and the constant parts of
/// indices; nothing when another part of the sum may be an address.
std::optional<Value> constant_part(const Expr& address);

/// Why a program cannot run: an error at the first use of an opaque value; empty where there is none.
Diagnostics opaque_objections(const Program& program);

/// Removes the opaque registers and cells from the observables of a program without condition and filter, which only
/// lists its outcomes.
void hide_opaque_observables(Program& program);

}  // namespace ambit
