#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "parser/cuda/device_code.h"
#include "parser/cuda/host_function.h"
#include "parser/cuda/host_values.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// The gpu and the stage of a launch in a host function.
struct LaunchPlace {
  int gpu = 0;
  bool follows = false;  ///< after all earlier launches; otherwise concurrent with those of its stage
};

/// Finds the gpu of each launch, from the calls of cudaSetDevice before it, and the launches that it follows. A launch
/// follows the earlier launches on the same gpu, because they are in one stream, and launches on gpus for which
/// cudaDeviceSynchronize has waited. `launches`: indices of the kernels' names, in the order of the code. If a function
/// does not change the gpu between its launches, all of them run on gpu 0, regardless of the number. Errors: a number
/// that is not constant; a call that may not run exactly once; an order of launches that stages cannot express.
std::optional<std::vector<LaunchPlace>> launch_places(const HostFunction& function,
                                                      const std::vector<std::size_t>& launches, HostValues& values,
                                                      DeviceCode& device, Reporter& reporter);

}  // namespace ambit::parser::cuda
