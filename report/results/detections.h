#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ambit::report {

/// What a detector that ran along reported over many runs of one test.
struct Detections {
  struct Race {
    std::string first;  ///< "b0t0 writes x (mp.litmus:8)"
    std::string second;
    std::string kind;        ///< "missing fence"
    std::uint64_t runs = 0;  ///< in which it was reported
  };
  std::string detector;
  std::uint64_t runs = 0;
  std::uint64_t left_out = 0;         ///< runs of which an assumption or the filter was not met
  std::uint64_t without_verdict = 0;  ///< runs of which it can say nothing
  std::uint64_t racy = 0;             ///< runs with a race
  std::uint64_t uncounted = 0;        ///< reports that are not in `races`
  double seconds = 0;
  std::vector<Race> races;
  std::string not_run;  ///< why it could not run along; empty: it did

  /// Runs of which it says something.
  std::uint64_t judged() const { return runs - left_out - without_verdict; }
};

/// Nothing where no run was judged, and where no race was seen but some runs have no verdict: they might have had one.
std::optional<bool> race_verdict(const Detections& found);

/// In how many of the runs that it judged it saw a race; Unknown where it has no verdict.
enum class RaceFrequency : std::uint8_t { Unknown, NoRun, SomeRuns, EveryRun };
RaceFrequency race_frequency(const Detections& found);

/// Keeps the races reported in most runs; the reports of the others become `uncounted`.
void keep_most_frequent(Detections& found, std::size_t most);
/// Adds another series of runs of the same test.
void add(Detections& into, const Detections& from);

}  // namespace ambit::report
