#pragma once

#include <string>
#include <vector>

#include "core/program_report.h"

namespace ambit::report {

/// The circumstances of a program's run under detectors, without its findings.
struct ProgramRun {
  std::string program;
  std::vector<std::string> detectors;
  std::string runs_are;          ///< "random schedules, seeds 1 to 20"
  std::string not_tried;         ///< "other seeds (--seed, --runs), ..."; empty: everything was tried
  std::uint64_t suppressed = 0;  ///< races
  int status = 0;
  int signal = 0;
  bool has_timed_out = false;
};

/// The races of all detectors between the same two accesses of the source.
struct ProgramRacePair {
  std::vector<ProgramRace> races;  ///< one of each detector, or of each kind; the first represents all

  /// Returns the detectors in order of discovery, each once.
  std::vector<std::string> detectors() const;
  /// Returns Ordinary, unless all races of the pair have one other class.
  ProgramRaceClass race_class() const;
};

/// Returns "race", "race of equal values", "race with an invalidation".
std::string_view heading_of(ProgramRaceClass race_class);
/// Returns a sentence that says why races of the class are listed separately; empty for ordinary races.
std::string_view meaning_of(ProgramRaceClass race_class);

/// Returns the words of a report before the remedy of a race.
std::string_view claim_of_remedy(const ProgramRace& race);

/// Returns the races of a report in pairs: ordinary races first, each class in order of discovery.
std::vector<ProgramRacePair> race_pairs(const ProgramReport& report);

}  // namespace ambit::report
