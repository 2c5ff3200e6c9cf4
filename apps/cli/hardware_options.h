#pragma once

#include "api/hardware/hardware.h"
#include "apps/cli/command_line.h"

namespace ambit::cli {

// Options for commands that run tests on a GPU. `options` must outlive the command.

/// Declares the options that all commands that run tests on a GPU have.
void add_hardware_options(Command command, api::HardwareOptions& options);
/// Declares --shard, whose value is "K/N"; `shard` and `shards` must outlive the command.
Option add_shard_option(Command command, std::uint32_t& shard, std::uint32_t& shards);
/// Declares --mbarrier; `hardware_mbarriers` must outlive the command.
Option add_mbarrier_option(Command command, bool& hardware_mbarriers);
/// Declares --in-gpu.
void add_in_gpu_option(Command command, api::HardwareOptions& options);

}  // namespace ambit::cli
