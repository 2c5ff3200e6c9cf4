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
  std::string not_tried;         ///< "other seeds (--seed, --runs), ..."; empty if everything was tried
  std::uint64_t suppressed = 0;  ///< number of suppressed races
  int status = 0;
  int signal = 0;
  bool has_timed_out = false;
};

/// The races of all detectors between the same two accesses of the source.
struct ProgramRacePair {
  std::vector<ProgramRace> races;  ///< one race for each detector and kind; the first race represents all

  /// Returns the detectors in the order of discovery, without duplicates.
  std::vector<std::string> detectors() const;
  /// Returns the class that all races of the pair share, or Ordinary if their classes differ.
  ProgramRaceClass race_class() const;
};

/// Returns "race", "race of equal values" or "race with an invalidation".
std::string_view heading_of(ProgramRaceClass race_class);
/// Returns a sentence that explains why races of the class are listed separately; empty for ordinary races.
std::string_view meaning_of(ProgramRaceClass race_class);

/// Returns the words of a report before the remedy of a race.
std::string_view claim_of_remedy(const ProgramRace& race);

/// Returns the races of a report in pairs. Ordinary races come first; the races of each class are in the order of
/// discovery.
std::vector<ProgramRacePair> race_pairs(const ProgramReport& report);

}  // namespace ambit::report
