#pragma once

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::cuda {

/// Returns whether the test has an mbarrier whose operations are atomics on a cell.
bool has_mbarriers_of_atomics(const Program& program);

/// Returns whether the test's mbarriers run as hardware mbarriers instead of atomics. The result is true if the user
/// requests hardware mbarriers. The result is also true if some mbarrier is in shared memory, unless the kernel records
/// accesses or contains a detector.
bool is_on_hardware_mbarriers(const Program& program, const Shape& shape);

/// Returns the test with hardware mbarriers instead of atomics. Each mbarrier is in the shared memory of one block: the
/// block whose thread is the first user. The operations are the PTX instructions `mbarrier.*`. Errors, located in the
/// test: an operation without a PTX instruction.
Result<Program> with_hardware_mbarriers(const Program& program);

}  // namespace ambit::cuda
