#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/cli/backend.h"
#include "apps/cli/commands.h"
#include "runner/cuda/runner.h"

namespace ambit::cli {

/// What `ambit run --backend cuda` can be told besides what holds for every backend (docs/hardware.md).
struct HardwareOptions {
  cuda::RunOptions run;
  std::uint32_t device = 0;
  double timeout_seconds = 10;
  std::string profile;       ///< a file of stress parameters; empty: none
  std::string save_profile;  ///< where tuned parameters go; empty: they are only printed
  std::uint32_t shard = 1;   ///< of `shards`: tests number shard - 1, shard - 1 + shards ... in order of path
  std::uint32_t shards = 1;
  bool use_cache = true;    ///< of compiled kernels
  bool check_code = false;  ///< look at the machine code of every kernel
  cuda::Stress given;       ///< the values of those parameters that `run.fixed` names
};

/// Declares them; `options` must outlive the command.
void add_hardware_options(CLI::App& command, HardwareOptions& options);

/// Declares the option for a part of the tests.
CLI::Option* add_shard_option(CLI::App& command, HardwareOptions& options);

/// Declares the option for race detectors inside the kernel.
void add_in_gpu_option(CLI::App& command, HardwareOptions& options);

/// The parameters that a run starts with: the default, the profile's, those of the command line. Errors: the profile's.
Result<cuda::Stress> starting_stress(const HardwareOptions& options);

/// Parameters that differ from the default, as options: "--stride 64 --batch 8".
std::string stress_options(const cuda::Stress& stress);

}  // namespace ambit::cli
