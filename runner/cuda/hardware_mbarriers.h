#pragma once

#include "core/program.h"
#include "core/source.h"
#include "runner/cuda/layout.h"

namespace ambit::cuda {

/// Whether the test has an mbarrier that runs as atomics on a cell of global memory.
bool has_mbarriers_of_atomics(const Program& program);

/// Whether such mbarriers run as objects of the hardware: where the user asks for it, and those that the test has in
/// shared memory, unless every access is recorded or a detector sees it.
bool is_on_hardware_mbarriers(const Program& program, const Shape& shape);

/// The test with such mbarriers as objects of the hardware: each lies in the shared memory of the block of the first
/// thread that uses it, and its operations are the instructions `mbarrier.*` of PTX. Errors, located in the test: an
/// operation that no PTX instruction stands for.
Result<Program> with_hardware_mbarriers(const Program& program);

}  // namespace ambit::cuda
