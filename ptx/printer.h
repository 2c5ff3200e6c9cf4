#pragma once

#include <string>

#include "base/source.h"
#include "core/program.h"

namespace ambit::ptx {

/// Translates a test to a PTX litmus file (docs/reference/ptx-files.md), according to the documented CUDA ABI. The
/// table in docs/reference/definitions/events.md 2.1 gives the instructions for each statement: for example, a seq_cst
/// access becomes `fence.sc` and an acquire or relaxed access. Keeps the condition, the filter and the expectations
/// about PTX models. Renames threads to P0, P1 and so on, and registers to r0, r1 and so on. A comment lists the
/// changed names. For a PTX test, returns the normal form. Error: the test has a part that the format cannot express
/// (shared memory, grid barriers, assert and assume, atomics at thread scope, shifts by a number that is not constant).
Result<std::string> ptx_text(const Program& program);

}  // namespace ambit::ptx
