#pragma once

#include <string>

#include "api/hardware/run.h"
#include "apps/cli/command_line.h"
#include "runner/sim/simulator_options.h"

namespace ambit::cli {

/// --help shows these titles above the options that only one backend uses.
inline constexpr const char* kOnSimulator = "On the simulator (--backend sim)";
inline constexpr const char* kOnGpu = "On a GPU (--backend cuda)";
inline constexpr const char* kStressOnGpu = "Stress on a GPU";

/// Throws a usage error if the user gave an option that affects only the other backend.
void require_options_of(Command command, api::Backend backend);

/// Declares --backend. The default is the value of `backend`, which must outlive the command.
void add_backend_option(Command command, api::Backend& backend);
/// Declares --memory of the simulator; `options` must outlive the command.
void add_memory_option(Command command, sim::Options& options);
/// Declares the simulator's options --warps and --conflicts in a group of --help ("" for no group). `options` must
/// outlive the command.
void add_warps_options(Command command, sim::Options& options, const std::string& group);

}  // namespace ambit::cli
