#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"
#include "core/race_report.h"
#include "core/trace.h"

namespace ambit::report {

/// A group of races that a detector reports between the same two places of the source, on elements of one variable.
struct ReportedPair {
  std::vector<std::size_t> races;  ///< indices into DetectorFindings::races, at least one; reports show the first race
  std::uint64_t runs = 0;          ///< for a program: number of runs with at least one of these races
};

/// One detector's findings about a trace or about all runs of a program.
struct DetectorFindings {
  std::string detector;  ///< the detector's name and non-default options: "gwcp(overlap=either)"
  std::vector<RaceReport> races;
  /// For each race, the number of runs in which the detector reported it; empty for a single trace.
  std::vector<std::uint64_t> runs;
  std::vector<ReportedPair> pairs;  ///< groups of `races`, in the order of their first races
  std::uint64_t racy_runs = 0;      ///< number of runs in which the detector reported a race
  std::vector<std::string> remarks;
  std::string not_judged;  ///< why the detector has no answer; empty if it has an answer.
  /// Whether the detector stopped before it had examined the whole input. A remark gives the reason.
  bool is_open = false;

  /// Returns whether the detector could not decide if there is a race.
  bool is_unknown() const { return !not_judged.empty() || (is_open && races.empty()); }
};

/// The results of `ambit detect` for one input.
struct DetectionResult {
  std::string source;  ///< the name of the test, or the file of the trace as the user named it
  std::string file;    ///< file as the user named it; empty if the text is not from a file
  bool is_trace = true;
  std::uint64_t events = 0;                ///< number of events in the trace
  std::uint64_t runs = 0;                  ///< number of runs of the program
  std::string runs_are;                    ///< which runs were tried: "all schedules that differ, sc memory"
  std::string incomplete;                  ///< why the runs cannot exclude a race; empty if they can
  std::vector<std::string> open_sections;  ///< "b0t0 holds l"
  Diagnostics remarks;                     ///< remarks from reading the test
  TraceTables tables;
  std::vector<DetectorFindings> detectors;
};

/// Returns whether two races are between the same two places of the source (in either order), on elements of one
/// variable. The threads may differ. If a race has an unknown place, it differs from all other races.
bool is_same_pair(const RaceReport& a, const RaceReport& b, const TraceTables& tables);

/// Adds a race to `findings.races` and to its group in `findings.pairs`, and returns the index of the group. `tables`
/// must contain the names that the race refers to.
std::size_t add_race(DetectorFindings& findings, RaceReport race, const TraceTables& tables);

/// Describes the memory cells of the races: "x"; "data[0], data[1], data[2] and 30 more"; "memory" if no detector
/// recorded the cells.
std::string cells_of(std::span<const RaceReport> races, const TraceTables& tables);

/// Returns the number of different pairs of threads in the races.
std::size_t count_thread_pairs(std::span<const RaceReport> races);

/// Totals over several inputs.
class DetectionTotals {
 public:
  /// `race`: whether the input has a race; nothing if this is unknown.
  void add(const DetectionResult& result, std::optional<bool> race);
  /// Counts an input that could not be read.
  void add_unread() { ++unread_; }

  struct Counts {
    std::uint64_t racy = 0;
    std::uint64_t clean = 0;
    std::uint64_t unknown = 0;

    std::uint64_t all() const { return racy + clean + unknown; }
  };
  /// Totals over the readable inputs.
  const Counts& inputs() const { return inputs_; }
  std::uint64_t unread() const { return unread_; }
  /// The totals for each detector, in the order of first appearance.
  const std::vector<std::pair<std::string, Counts>>& detectors() const { return detectors_; }

 private:
  Counts inputs_;
  std::uint64_t unread_ = 0;
  std::vector<std::pair<std::string, Counts>> detectors_;
};

/// Returns the source line that a site names, without white space at its ends; empty if the line cannot be read.
using SourceLine = std::function<std::string(std::string_view site)>;

/// Maximum number of sentences about one detector's races on a test's page.
inline constexpr std::size_t kKeptSentences = 3;
/// Adds sentences about races, without duplicates, up to kKeptSentences.
void keep_sentences(std::span<const RaceReport> races, std::vector<std::string>& sentences);

}  // namespace ambit::report
