#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "api/program_run.h"
#include "core/source.h"

namespace ambit::api {

/// An argument of a launch without a host program: a number, or an array of the device.
struct LaunchArgument {
  std::string type;         ///< of an array's elements: "int"; empty: a number
  std::uint64_t count = 0;  ///< elements of an array
  std::string value;        ///< the number as written, or what each element holds; empty: 0
};

/// A launch as text: "kernel<<<2, 64>>>(int[64], 5)".
struct LaunchText {
  std::string kernel;
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<LaunchArgument> arguments;
};

/// Reads a launch. Errors: what was expected, with the column.
Result<LaunchText> read_launch(const std::string& text);

/// Runs a kernel of a PTX file (the command's first word) on the virtual GPU in this process, under the detectors of
/// the request. Errors: the file cannot be read, has no such kernel, or the arguments do not fit its parameters.
Result<ProgramOutcome> run_ptx(const ProgramRequest& request, const std::string& launch,
                               const std::atomic<bool>& interrupted);

}  // namespace ambit::api
