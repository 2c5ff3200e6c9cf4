#pragma once

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/kernel.h"

namespace ambit::cuda {

/// Writes the kernel in which ldetector runs the test itself (kernels/detectors/ldetector_in_gpu.h). Each thread of the
/// kernel executes complete runs of the test, one after the other, in its own memory. Each thread of the test becomes a
/// function. A call of the function runs the thread from one barrier of the block to the next, or from one step to the
/// next if the thread's warp has other lanes. The registers keep their values between calls. Errors, located in the
/// test: the errors of examine().
Result<Kernel> emit_regions(const Program& program, Shape shape);

}  // namespace ambit::cuda
