#pragma once

#include <string>

#include "core/program.h"
#include "core/source.h"

namespace ambit::ptx {

/// Returns the PTX litmus file (docs/reference/ptx-files.md) to which a test compiles under the documented CUDA ABI.
/// Each statement becomes the instructions of the table in docs/reference/definitions/events.md 2.1; a seq_cst access
/// becomes `fence.sc` and an acquire or relaxed access. Keeps condition, filter and the expectations about PTX models.
/// Threads become P0, P1
/// ... and registers r0, r1 ...; a comment lists changed names. A PTX test is returned in normal form. Errors, located
/// in the test: parts that the format cannot express (shared memory, grid barriers, assert and assume, atomics at
/// thread scope, shifts other than by a constant).
Result<std::string> ptx_text(const Program& program);

}  // namespace ambit::ptx
