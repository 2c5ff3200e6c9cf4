#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/results/validation.h"

namespace ambit::report {

/// A share: part / whole. If the whole is 0, the share is undefined.
struct Share {
  std::uint64_t part = 0;
  std::uint64_t whole = 0;

  std::optional<double> value() const;
};

/// The confidence interval of a share.
struct Interval {
  double low = 0;
  double high = 1;
};

/// Returns the 95 % confidence interval of a share of independent samples (Wilson 1927).
Interval wilson_interval(const Share& share);

/// The score of one detector, measured against the labels. Tests without a label or without a known answer of the
/// detector do not count.
struct DetectorScore {
  Share precision;            ///< the racy tests' share of the tests with a report
  Share recall;               ///< share of racy tests with a report
  Share recall_in_every_run;  ///< share of racy tests with a report in every run
  Share racy_runs;            ///< of the runs of racy tests, the share with a report
  FirstRaces first_races;
};

/// For one kind or level of race: the number of racy tests, and how many of these tests each detector finds.
struct SortScore {
  std::string sort;
  std::uint64_t tests = 0;
  struct Found {
    std::uint64_t judged = 0;  ///< number of tests with a known answer of the detector
    std::uint64_t in_some_run = 0;
    std::uint64_t in_every_run = 0;
  };
  std::vector<Found> found;  ///< one element for each detector
};

/// A pair of detectors that differ: in some runs, only one of the two reports a race.
struct Difference {
  std::size_t reports = 0;  ///< the detector that reports a race in the smallest differing run
  std::size_t silent = 0;
  std::uint64_t tests = 0;   ///< number of tests in which the detectors differ
  std::size_t test = 0;      ///< the test with the smallest differing run
  std::size_t run = 0;       ///< index of the run among the test's scored runs
  std::uint64_t events = 0;  ///< number of events in the run
};

DetectorScore score_of(const Validation& validation, std::size_t detector);
/// Returns the tests in which the oracle finds races, grouped by the kinds of these races. A test with races of two
/// kinds belongs to both groups.
std::vector<SortScore> scores_by_kind(const Validation& validation);
/// Like scores_by_kind(), but groups the tests by the levels of their races. The level of a race is the narrowest group
/// that contains both threads: a warp, a block or the device.
std::vector<SortScore> scores_by_level(const Validation& validation);
/// Returns the pairs of detectors that differ in some run, in the order of the detectors.
std::vector<Difference> differences(const Validation& validation);
/// Returns the command that replays a run to detectors: "ambit detect FILE --only-run 3 --detector scord".
std::string replay_command(const Validation& validation, const ValidationTest& test, std::size_t run,
                           const std::vector<std::size_t>& detectors);

/// A table of scores, independent of the format of the report.
struct ScoreTable {
  std::string name;   ///< one word: "scores"
  std::string title;  ///< the title, without a full stop
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};
/// Returns the tables of a validation: tests, scores, first races, kinds, levels, differences and, if measured, cost.
/// Omits empty tables.
std::vector<ScoreTable> score_tables(const Validation& validation);

}  // namespace ambit::report
