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
  std::size_t open = 0;  ///< index of <<<
};

/// The launches of the host code, in the order in which they run. All are in one function.
using HostLaunches = std::vector<HostLaunch>;

/// Finds the launches of the host code. `pragmas` has the place of each #pragma that lets several threads run the next
/// statement. Errors: there is no launch; the launches are in several functions; a launch may run several times, not at
/// all, or at an unknown time.
std::optional<HostLaunches> find_host_launches(const Unit& unit, const std::vector<SourceSpan>& pragmas,
                                               Reporter& reporter);

/// Reports a --launch whose text is not a launch. The hint is an example for the file's first kernel.
void check_launch_option(const Tokens& launch, const Unit& unit, Reporter& reporter);

/// Returns an example of a launch. Each array has one element for each thread; each number is 1.
std::string example_launch(const Declaration& kernel);

/// Rewrites the launches into the litmus language: a declaration for the memory that they pass, and a `launch` item for
/// each launch. Returns nothing after an error: sizes, arguments or initial contents are not constant, or host code may
/// change them in a way that Ambit does not support.
std::optional<Pieces> read_host_launches(const HostLaunches& launches, const Unit& unit, DeviceCode& device,
                                         Reporter& reporter);

/// Reports host code that may change a variable of the device code that `device` has read. The variable's value at the
/// launch would then be unknown.
void check_host_writes(const HostLaunches& launches, const Unit& unit, const DeviceCode& device, Reporter& reporter);

}  // namespace ambit::parser::cuda
