#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/backend.h"
#include "apps/cli/hardware_options.h"
#include "runner/sim/simulator_options.h"

namespace ambit::cli {

/// The command line of `ambit run` (docs/cli.md).
struct RunCommand {
  std::string path;
  Backend backend = Backend::Sim;
  sim::Options options;
  std::string schedule = "random";  ///< a kind, or a schedule file
  HardwareOptions hardware;         ///< Backend::Cuda
  std::vector<std::string> models;
  std::string trace_file;
  std::string trace_of;  ///< an outcome; empty: the first run
  std::string schedule_file;
  std::string launch;                ///< of CUDA sources; empty: the file's own
  std::vector<std::string> defines;  ///< "NAME" or "NAME=VALUE"
  bool json = false;
  bool quiet = false;
  bool show = false;
};

}  // namespace ambit::cli
