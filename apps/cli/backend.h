#pragma once

#include <string>

#include "api/run.h"
#include "apps/cli/command_line.h"
#include "runner/sim/simulator_options.h"

namespace ambit::cli {

/// Groups of options that only one backend uses: their titles in --help.
inline constexpr const char* kOnSimulator = "On the simulator (--backend sim)";
inline constexpr const char* kOnGpu = "On a GPU (--backend cuda)";
inline constexpr const char* kStressOnGpu = "Stress on a GPU";

/// Throws a usage error for an option of the other backend, which would have no effect.
void require_options_of(Command command, api::Backend backend);

/// Declares --backend, whose default is the value of `backend`; it must outlive the command.
void add_backend_option(Command command, api::Backend& backend);
/// Declares --memory of the simulator; `options` must outlive the command.
void add_memory_option(Command command, sim::Options& options);
/// Declares --warps and --conflicts of the simulator in that group of options ("": none); `options` must outlive the
/// command.
void add_warps_options(Command command, sim::Options& options, const std::string& group);

}  // namespace ambit::cli
