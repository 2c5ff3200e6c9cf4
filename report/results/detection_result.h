#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/race_report.h"
#include "core/source.h"
#include "core/trace.h"

namespace ambit::report {

/// Races that a detector reports between the same two places of the source, on cells of one variable.
struct ReportedPair {
  std::vector<std::size_t> races;  ///< indices into DetectorFindings::races, at least one; the first represents all
  std::uint64_t runs = 0;          ///< for a program: the runs in which any of them was reported
};

/// The findings of one detector in a trace, or in all runs of a program.
struct DetectorFindings {
  std::string detector;  ///< with its options that are not the default: "gwcp(overlap=either)"
  std::vector<RaceReport> races;
  std::vector<std::uint64_t> runs;  ///< by race: the runs in which it was reported; empty for a single trace
  std::vector<ReportedPair> pairs;  ///< of `races`, in the order of the first race of each
  std::uint64_t racy_runs = 0;      ///< runs with a race
  std::vector<std::string> remarks;
  std::string not_judged;  ///< why the detector has no answer; empty: it has one
  bool is_open = false;    ///< it stopped before it had examined everything; then a remark says so

  /// Returns whether it is unknown if there is a race.
  bool is_unknown() const { return !not_judged.empty() || (is_open && races.empty()); }
};

/// The results of `ambit detect` for one input.
struct DetectionResult {
  std::string source;  ///< the trace's file as the user gave it, or the test's name
  std::string file;    ///< as the user gave it; empty: the text is not a file
  bool is_trace = true;
  std::uint64_t events = 0;                ///< of the trace
  std::uint64_t runs = 0;                  ///< of a program
  std::string runs_are;                    ///< "all schedules that differ, sc memory"
  std::string incomplete;                  ///< why these runs do not show that there is no race; empty: they do
  std::vector<std::string> open_sections;  ///< "b0t0 holds l"
  Diagnostics remarks;                     ///< of a test's reader
  TraceTables tables;
  std::vector<DetectorFindings> detectors;
};

/// Returns whether two races have the same two places of the source, in either order, and cells of one variable,
/// regardless of the threads. A race with unknown places differs from all others.
bool is_same_pair(const RaceReport& a, const RaceReport& b, const TraceTables& tables);

/// Adds a race to `findings.races` and to its pair, and returns the pair's index. `tables` must have its names.
std::size_t add_race(DetectorFindings& findings, RaceReport race, const TraceTables& tables);

/// Returns the cells of the races: "x"; "data[0], data[1], data[2] and 30 more"; "memory": no detector recorded them.
std::string cells_of(std::span<const RaceReport> races, const TraceTables& tables);

/// Counts the pairs of threads of the races.
std::size_t count_thread_pairs(std::span<const RaceReport> races);

/// Counts over several inputs.
class DetectionTotals {
 public:
  /// `race`: whether the input has a race; nothing: unknown.
  void add(const DetectionResult& result, std::optional<bool> race);
  /// Counts an input that could not be read.
  void add_unread() { ++unread_; }

  struct Counts {
    std::uint64_t racy = 0;
    std::uint64_t clean = 0;
    std::uint64_t unknown = 0;

    std::uint64_t all() const { return racy + clean + unknown; }
  };
  /// Counts over the inputs that could be read.
  const Counts& inputs() const { return inputs_; }
  std::uint64_t unread() const { return unread_; }
  /// By detector, in order of first appearance.
  const std::vector<std::pair<std::string, Counts>>& detectors() const { return detectors_; }

 private:
  Counts inputs_;
  std::uint64_t unread_ = 0;
  std::vector<std::pair<std::string, Counts>> detectors_;
};

/// Returns the text of a site's line in its source, without white space at its ends; empty: it cannot be read.
using SourceLine = std::function<std::string(std::string_view site)>;

/// Most sentences about races for each detector on a test's page.
inline constexpr std::size_t kKeptSentences = 3;
/// Adds new sentences of races, up to kKeptSentences.
void keep_sentences(std::span<const RaceReport> races, std::vector<std::string>& sentences);

}  // namespace ambit::report
