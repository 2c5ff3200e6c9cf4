#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/results/validation.h"

namespace ambit::report {

/// A part of a whole; without a value where the whole is empty.
struct Share {
  std::uint64_t part = 0;
  std::uint64_t whole = 0;

  std::optional<double> value() const;
};

/// A confidence interval of a share.
struct Interval {
  double low = 0;
  double high = 1;
};

/// The 95 % interval of a share of independent samples (Wilson 1927).
Interval wilson_interval(const Share& share);

/// How well one detector did. Precision, recall and runs are by the label, over tests on which the detector is known to
/// report a race or none.
struct DetectorScore {
  Share precision;            ///< tests with a report that are racy
  Share recall;               ///< racy tests with a report
  Share recall_in_every_run;  ///< racy tests with a report in every run
  Share racy_runs;            ///< runs of racy tests with a report
  FirstRaces first_races;
};

/// Racy tests of one sort, and how many of them each detector finds.
struct SortScore {
  std::string sort;
  std::uint64_t tests = 0;
  struct Found {
    std::uint64_t judged = 0;  ///< tests on which the detector is known to report a race or none
    std::uint64_t in_some_run = 0;
    std::uint64_t in_every_run = 0;
  };
  std::vector<Found> found;  ///< by detector
};

/// Two detectors of which one reports a race in a run and the other does not.
struct Difference {
  std::size_t reports = 0;  ///< the detector that reports a race in the smallest run
  std::size_t silent = 0;
  std::uint64_t tests = 0;   ///< with such a run
  std::size_t test = 0;      ///< the one with the smallest such run
  std::size_t run = 0;       ///< of the test, among those that were scored
  std::uint64_t events = 0;  ///< of this run
};

DetectorScore score_of(const Validation& validation, std::size_t detector);
/// Tests in which the oracle finds races, by the kinds of these races. A test with races of two kinds is in both.
std::vector<SortScore> scores_by_kind(const Validation& validation);
/// The same by the narrowest level that has both accesses: one warp, one block, the device.
std::vector<SortScore> scores_by_level(const Validation& validation);
/// Pairs of detectors that differ in some run, in the order of the detectors.
std::vector<Difference> differences(const Validation& validation);
/// The command that shows a run to detectors again: "ambit detect FILE --only-run 3 --detector scord".
std::string replay_command(const Validation& validation, const ValidationTest& test, std::size_t run,
                           const std::vector<std::size_t>& detectors);

/// A table of scores, for every form of report.
struct ScoreTable {
  std::string name;   ///< one word: "scores"
  std::string title;  ///< a sentence without a full stop
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};
/// The tables of a validation: tests, scores, first races, kinds, levels, differences and, where it was measured, cost.
/// Empty tables are left out.
std::vector<ScoreTable> score_tables(const Validation& validation);

}  // namespace ambit::report
