#pragma once

#include <cstdint>

#include "core/program.h"
#include "core/source.h"
#include "runner/cuda/kernel.h"

namespace ambit::cuda {

/// The number of accesses that a recording kernel keeps of each thread in a run.
std::uint32_t log_length(const Program& program);

/// Writes the kernel that runs many instances of the test at a time (docs/hardware.md). Each memory operation is the
/// PTX instruction of the model's event (definitions 2.1) as inline assembly. Errors, located in the test: an operation
/// that no GPU has an instruction for, and one that a single launch cannot run.
Result<Kernel> emit(const Program& program, Shape shape = {});

/// Like emit(), with fewer instances if shared memory does not hold the cells of as many as `shape` asks for.
Result<Kernel> emit_largest(const Program& program, Shape shape);

/// What the kernel needs that the architecture lacks: "this test's instructions need sm_90"; empty: nothing.
std::string missing_on(const Kernel& kernel, std::uint32_t arch);

}  // namespace ambit::cuda
