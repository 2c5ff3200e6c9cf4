#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "parser/cuda/device_code.h"
#include "parser/cuda/token.h"
#include "parser/cuda/unit.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// A launch in a host function.
struct HostLaunch {
  const Declaration* function = nullptr;
  std::size_t name = 0;  ///< index of the kernel's name
  std::size_t open = 0;  ///< index of <<<
};

/// Finds the only launch of the host code. `pragmas`: the places of each #pragma that lets several threads run the next
/// statement. Errors: no launch; several launches; a launch that may run several times or at an unknown time.
std::optional<HostLaunch> find_host_launch(const Unit& unit, const std::vector<SourceSpan>& pragmas,
                                           Reporter& reporter);

/// Rewrites the launch into the litmus language: declarations of the memory that it passes, and a `launch` item. Errors
/// (the result is then empty): sizes, arguments or initial contents that are not constant; host code that may change
/// them in a way that Ambit does not support.
std::optional<Pieces> read_host_launch(const HostLaunch& launch, const Unit& unit, DeviceCode& device,
                                       Reporter& reporter);

/// Reports host code that may change a variable of the device code that `device` has read: the value of the variable at
/// the launch is then not known.
void check_host_writes(const HostLaunch& launch, const Unit& unit, const DeviceCode& device, Reporter& reporter);

}  // namespace ambit::parser::cuda
