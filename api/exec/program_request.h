#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program_report.h"
#include "runner/shadow/watch_options.h"

namespace ambit::api {

/// A CUDA program to run with the replacement runtime library, under race detectors.
struct ProgramRequest {
  /// The path of the program or of its CUDA source (.cu), followed by the program's arguments.
  std::vector<std::string> command;
  std::vector<std::string> compiler_options;  ///< compiler options for a CUDA source: "-DRACE"
  std::string architecture;                   ///< architecture for a CUDA source: "sm_90"; sm_80 if empty
  shadow::WatchOptions watch;                 ///< detectors, schedule, seed of the first run, limits.
  /// The number of runs; if absent, RunCount chooses. The runs have consecutive seeds, from the seed in `watch`.
  std::optional<std::uint64_t> runs;
  double timeout_seconds = 0;  ///< timeout of each run; 0 for no timeout
  std::string suppressions;    ///< path of the suppressions file; may be empty
  bool reads_input = true;     ///< whether the program may read the standard input
  bool moves_output = false;   ///< whether the program's standard output goes to the standard error
};

/// The findings, and how the program ended.
struct ProgramOutcome {
  ProgramReport report;
  int status = 0;  ///< exit status of the last run that failed; 0 if no run failed
  int signal = 0;  ///< signal that ended a run; 0 if no signal ended a run
  bool has_timed_out = false;
  std::uint64_t suppressed = 0;  ///< number of races that the suppressions removed
  std::string why_no_more_runs;  ///< why RunCount stopped the runs; empty if the request gives the number of runs
};

}  // namespace ambit::api
