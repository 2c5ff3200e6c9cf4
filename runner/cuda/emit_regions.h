#pragma once

#include "core/program.h"
#include "core/source.h"
#include "runner/cuda/kernel.h"

namespace ambit::cuda {

/// Writes the kernel in which ldetector runs the test itself (kernels/detectors/ldetector_in_gpu.h). Each of the
/// kernel's threads executes whole runs, one after the other, in its own memory. A thread of the test becomes a
/// function that runs from one barrier of the block to the next. If the thread's warp has other lanes, the function
/// runs from one step to the next. The function keeps the registers in between. Errors, located in the test: the errors
/// of examine().
Result<Kernel> emit_regions(const Program& program, Shape shape);

}  // namespace ambit::cuda
