#pragma once

#include <cstdint>

#include "apps/cli/commands.h"
#include "runner/sim/simulator_options.h"

namespace ambit::cli {

/// What runs the tests.
enum class Backend : std::uint8_t {
  Sim,   ///< the built-in simulator
  Cuda,  ///< a GPU
};

/// Groups of options that one backend alone looks at: their heads in --help.
inline constexpr const char* kOnSimulator = "On the simulator (--backend sim)";
inline constexpr const char* kOnGpu = "On a GPU (--backend cuda)";
inline constexpr const char* kStressOnGpu = "Stress on a GPU";

/// A usage error if an option was given that is in a group of the other backend: it would have no effect.
void require_options_of(const CLI::App& command, Backend backend);

/// Declares --backend, whose default is the value that `backend` has; it must outlive the command.
void add_backend_option(CLI::App& command, Backend& backend);
/// Declares --memory, the simulator's; `options` must outlive the command.
void add_memory_option(CLI::App& command, sim::Options& options);

}  // namespace ambit::cli
