#pragma once

#include <cstddef>
#include <optional>
#include <string>
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
  std::size_t open = 0;  ///< of <<<
};

/// The only launch of the host code. `pragmas`: where a #pragma lets several threads run the statement that follows.
/// Errors: no launch; several; one that may run several times, or whose time is not known.
std::optional<HostLaunch> find_host_launch(const Unit& unit, const std::vector<SourceSpan>& pragmas,
                                           Reporter& reporter);

/// The launch, where it and the memory that it passes are constant: as declarations of that memory and a `launch` of
/// the litmus language. Host code is otherwise not understood. Errors (then nothing is returned): sizes, arguments or
/// initial contents that are not constant, and host code that may change them in a way that is not understood.
std::optional<Pieces> read_host_launch(const HostLaunch& launch, const Unit& unit, DeviceCode& device,
                                       Reporter& reporter);

/// Reports host code that may change a variable of the device code that `device` has read: then what it holds at the
/// launch is not known.
void check_host_writes(const HostLaunch& launch, const Unit& unit, const DeviceCode& device, Reporter& reporter);

}  // namespace ambit::parser::cuda
