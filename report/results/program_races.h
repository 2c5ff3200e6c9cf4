#pragma once

#include <string>
#include <vector>

#include "core/program_report.h"

namespace ambit::report {

/// What is said of a program that ran under detectors, besides what was found.
struct ProgramRun {
  std::string program;
  std::vector<std::string> detectors;
  std::string runs_are;          ///< "random schedules from seed 1"
  std::uint64_t suppressed = 0;  ///< races
  int status = 0;
  int signal = 0;
  bool has_timed_out = false;
};

/// The races of all detectors between the same two accesses of the source.
struct ProgramRacePair {
  std::vector<ProgramRace> races;  ///< one of each detector, or of each kind; the first stands for all

  /// In order of discovery, each once.
  std::vector<std::string> detectors() const;
};

/// The races of a report in pairs, in order of discovery.
std::vector<ProgramRacePair> race_pairs(const ProgramReport& report);

}  // namespace ambit::report
