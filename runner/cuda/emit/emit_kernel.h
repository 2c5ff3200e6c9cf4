#pragma once

#include <cstdint>

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/kernel.h"

namespace ambit::cuda {

/// Returns the number of accesses that a recording kernel keeps for each thread in a run.
std::uint32_t log_length(const Program& program);

/// Writes the kernel that runs many instances of the test at the same time (docs/lab/hardware.md). The kernel performs
/// each memory operation by inline assembly: the PTX instruction of the model's event (definitions 2.1). Errors,
/// located in the test: an operation without a GPU instruction; an operation that a single launch cannot run.
Result<Kernel> emit(const Program& program, Shape shape = {});

/// Like emit(), but runs fewer instances if shared memory cannot hold the cells of all instances of `shape`.
Result<Kernel> emit_largest(const Program& program, Shape shape);

/// Returns the kernel's requirement that the architecture does not meet: "this test's instructions need sm_90". Returns
/// an empty text if the architecture meets all requirements.
std::string missing_on(const Kernel& kernel, std::uint32_t arch);

}  // namespace ambit::cuda
