#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parser/cuda_device.h"
#include "parser/cuda_token.h"
#include "parser/cuda_unit.h"
#include "parser/litmus_reporter.h"

namespace ambit::parser::cuda {

/// The launch of the host code, where it and the memory that it passes are constant: as declarations of that memory and
/// a `launch` of the litmus language. Host code is otherwise not understood. Errors (then nothing is returned): no
/// launch; several; one in a loop; sizes, arguments or initial contents that are not constant.
std::optional<Pieces> read_host_launch(const Unit& unit, DeviceCode& device, litmus::Reporter& reporter);

}  // namespace ambit::parser::cuda
