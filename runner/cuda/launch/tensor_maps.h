#pragma once

#include "base/source.h"
#include "kernels/parameters.h"
#include "runner/cuda/emit/kernel.h"
#include "runner/cuda/launch/driver.h"

namespace ambit::cuda {

/// Makes the tensor maps of a kernel, one for each copy of a map's array, and writes them to Buffers::tensor_maps.
/// Errors: the driver's errors.
Result<bool> write_tensor_maps(Driver& driver, const Kernel& kernel, const ambit_kernel::Parameters& parameters,
                               const ambit_kernel::Buffers& buffers);

}  // namespace ambit::cuda
