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
  std::vector<std::string> command;           ///< the program, or its CUDA source (.cu), and its arguments
  std::vector<std::string> compiler_options;  ///< of a CUDA source: "-DRACE"
  std::string architecture;                   ///< architecture for a CUDA source, "sm_90"; empty: sm_80
  shadow::WatchOptions watch;                 ///< detectors, schedule, seed of the first run, limits
  /// The number of runs, with the seeds seed, seed + 1 ...; nothing: RunCount chooses.
  std::optional<std::uint64_t> runs;
  double timeout_seconds = 0;  ///< of each run; 0: none
  std::string suppressions;    ///< file; empty: none
  bool reads_input = true;     ///< the program may read the standard input
  bool moves_output = false;   ///< the program's standard output goes to its standard error
};

/// How the program ended, and the findings.
struct ProgramOutcome {
  ProgramReport report;
  int status = 0;  ///< exit status of the last run that failed; 0: none did
  int signal = 0;  ///< that ended a run; 0: none
  bool has_timed_out = false;
  std::uint64_t suppressed = 0;  ///< number of races that the suppressions removed
  std::string why_no_more_runs;  ///< why RunCount chose no more runs; empty if the request gives the number
};

}  // namespace ambit::api
