#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ambit::report {

/// A detector's reports over many runs of one test.
struct Detections {
  struct Race {
    std::string first;  ///< "b0t0 writes x (mp.litmus:8)"
    std::string second;
    std::string kind;        ///< "missing fence"
    std::uint64_t runs = 0;  ///< number of runs in which the detector reported the race
  };
  std::string detector;
  std::uint64_t runs = 0;
  std::uint64_t left_out = 0;         ///< number of runs in which an assumption or the filter was not met
  std::uint64_t without_verdict = 0;  ///< number of runs without a verdict
  std::uint64_t racy = 0;             ///< number of runs with a race
  std::uint64_t uncounted = 0;        ///< number of reports that are not in `races`
  double seconds = 0;
  std::vector<Race> races;
  std::string not_run;  ///< why the detector did not run; empty if the detector ran

  /// Returns the number of runs with a verdict.
  std::uint64_t judged() const { return runs - left_out - without_verdict; }
};

/// Returns whether there is a race. Returns nothing if no run has a verdict, or if no run had a race but some runs have
/// no verdict.
std::optional<bool> race_verdict(const Detections& found);

/// Returns how often the runs with a verdict had a race; Unknown if no run has a verdict.
enum class RaceFrequency : std::uint8_t { Unknown, NoRun, SomeRuns, EveryRun };
RaceFrequency race_frequency(const Detections& found);

/// Keeps the `most` races that the detector reported in the largest numbers of runs. Adds the reports of all other
/// races to `uncounted`.
void keep_most_frequent(Detections& found, std::size_t most);
/// Adds the reports of another series of runs of the same test.
void add(Detections& into, const Detections& from);

}  // namespace ambit::report
