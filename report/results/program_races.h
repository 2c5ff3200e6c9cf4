#pragma once

#include <string>
#include <vector>

#include "core/program_report.h"

namespace ambit::report {

/// How a program ran under detectors, without the findings.
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

/// The races, reported by any detector, between the same two accesses of the source.
struct ProgramRacePair {
  std::vector<ProgramRace> races;  ///< a race for each detector and each kind; reports show the first race

  /// Returns the detectors that found the races, in order and without duplicates.
  std::vector<std::string> detectors() const;
  /// Returns the class of the races; Ordinary if the races have different classes.
  ProgramRaceClass race_class() const;
};

/// Returns "race", "race of equal values" or "race with an invalidation".
std::string_view heading_of(ProgramRaceClass race_class);
/// Returns a sentence that says why reports list a class of races separately. Returns an empty
/// text for ordinary races.
std::string_view meaning_of(ProgramRaceClass race_class);

/// Returns the words that introduce a race's remedy in a report.
std::string_view claim_of_remedy(const ProgramRace& race);

/// Returns the races of a report, grouped by pair of accesses. Ordinary races come first. The races of each class are
/// in the order of discovery.
std::vector<ProgramRacePair> race_pairs(const ProgramReport& report);

}  // namespace ambit::report
