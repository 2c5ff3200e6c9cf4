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
  /// whether the launch runs after all earlier launches; otherwise it is concurrent with the launches of its stage
  bool follows = false;
};

/// Finds the gpu of each launch, from the previous calls of cudaSetDevice, and the launches that it follows. A launch
/// follows the earlier launches on its gpu, because they are in one stream, and the launches on gpus for which
/// cudaDeviceSynchronize has waited. `launches` has the indices of the kernels' names, in the order of the code. If a
/// function does not change the gpu between its launches, all launches run on gpu 0, whichever gpu it sets. Errors: a
/// gpu's number is not constant; a call may not run exactly once; stages cannot express the order of the launches.
std::optional<std::vector<LaunchPlace>> launch_places(const HostFunction& function,
                                                      const std::vector<std::size_t>& launches, HostValues& values,
                                                      DeviceCode& device, Reporter& reporter);

}  // namespace ambit::parser::cuda
