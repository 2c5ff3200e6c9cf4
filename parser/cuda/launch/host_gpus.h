#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "parser/cuda/launch/device_code.h"
#include "parser/cuda/launch/host_function.h"
#include "parser/cuda/launch/host_values.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// The GPU of a launch in a host function, and whether the launch follows earlier launches.
struct LaunchPlace {
  int gpu = 0;
  /// Whether the launch begins a new stage: the launch starts after all earlier launches have ended. The launches of
  /// one stage are concurrent.
  bool follows = false;
};

/// Finds the GPU and the stage of each launch. Earlier calls of cudaSetDevice determine the GPU. A launch follows the
/// earlier launches on the same GPU, because all launches on one GPU are in one stream. A launch also follows the
/// launches on GPUs for which cudaDeviceSynchronize has waited. `launches` contains the indices of the kernels' names,
/// in the order of the code. If a function sets one GPU for all launches, the launches run on GPU 0 in Ambit, whichever
/// GPU the function sets. Errors: the number of a GPU is not constant; a call might not run exactly once; stages cannot
/// express the order of the launches.
std::optional<std::vector<LaunchPlace>> launch_places(const HostFunction& function,
                                                      const std::vector<std::size_t>& launches, HostValues& values,
                                                      DeviceCode& device, Reporter& reporter);

}  // namespace ambit::parser::cuda
