#pragma once

#include "core/source.h"
#include "kernels/parameters.h"
#include "runner/cuda/driver.h"
#include "runner/cuda/kernel.h"

namespace ambit::cuda {

/// Makes the tensor maps of a kernel, one for each place of the copies of its array, and writes them to
/// Buffers::tensor_maps. Errors: those of the driver.
Result<bool> write_tensor_maps(Driver& driver, const Kernel& kernel, const ambit_kernel::Parameters& parameters,
                               const ambit_kernel::Buffers& buffers);

}  // namespace ambit::cuda
