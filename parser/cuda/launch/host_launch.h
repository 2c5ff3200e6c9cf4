#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "parser/cuda/launch/device_code.h"
#include "parser/cuda/syntax/token.h"
#include "parser/cuda/syntax/unit.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// A launch in a host function.
struct HostLaunch {
  const Declaration* function = nullptr;
  std::size_t name = 0;  ///< index of the kernel's name
  std::size_t open = 0;  ///< index of <<<
};

/// The launches of the host code, in execution order. All launches are in one function.
using HostLaunches = std::vector<HostLaunch>;

/// Finds the launches of the host code. `pragmas` contains the places of #pragma directives after which several threads
/// run the next statement. Errors: there is no launch; several functions contain launches; a launch may run several
/// times, not at all, or at an unknown time.
std::optional<HostLaunches> find_host_launches(const Unit& unit, const std::vector<SourceSpan>& pragmas,
                                               Reporter& reporter);

/// Reports an error if the text of --launch is not a launch, with an example for the file's first kernel as the hint.
/// Reports an error if the file has no such kernel.
void check_launch_option(const Tokens& launch, const Unit& unit, Reporter& reporter);

/// Rewrites the launches into the litmus language: a declaration for each memory allocation that a launch receives, and
/// a `launch` item for each launch. Errors: a size, an argument or the initial contents of memory are not constant;
/// host code may change a value in a way that Ambit does not support.
std::optional<Pieces> read_host_launches(const HostLaunches& launches, const Unit& unit, DeviceCode& device,
                                         Reporter& reporter);

/// Reports host code that may change a variable of the device code in `device`. After such a change, the variable's
/// value at the launch would be unknown.
void check_host_writes(const HostLaunches& launches, const Unit& unit, const DeviceCode& device, Reporter& reporter);

}  // namespace ambit::parser::cuda
