#pragma once

#include <cstdint>

#include "cli/command.h"
#include "runner/sim/options.h"

namespace ambit::cli {

/// What runs the tests.
enum class Backend : std::uint8_t {
  Sim,   ///< the built-in simulator
  Cuda,  ///< a GPU
};

/// Declares --backend, whose default is the value that `backend` has; it must outlive the command.
void add_backend_option(CLI::App& command, Backend& backend);
/// Declares --memory, the simulator's; `options` must outlive the command.
void add_memory_option(CLI::App& command, sim::Options& options);

}  // namespace ambit::cli
