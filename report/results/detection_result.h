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
#include "core/trace.h"

namespace ambit::report {

/// What one detector found in a trace, or in all runs of a program.
struct DetectorFindings {
  std::string detector;  ///< with its options that are not the default: "gwcp(overlap=either)"
  std::vector<RaceReport> races;
  std::vector<std::uint64_t> runs;  ///< by race: the runs in which it was reported; empty where there was one trace
  std::uint64_t racy_runs = 0;      ///< runs with a race
  std::vector<std::string> remarks;
  std::string not_judged;  ///< why the detector has no answer; empty: it has one
  bool is_open = false;    ///< it stopped before it had examined everything; a remark says so

  /// It is not known whether there is a race.
  bool is_unknown() const { return !not_judged.empty() || (is_open && races.empty()); }
};

/// The results of `ambit detect` for one input.
struct DetectionResult {
  std::string source;  ///< the trace's file as the user gave it, or the test's name
  std::string file;    ///< as the user gave it; empty: the text is no file
  bool is_trace = true;
  std::uint64_t events = 0;                ///< of the trace
  std::uint64_t runs = 0;                  ///< of a program
  std::string runs_are;                    ///< "all schedules that differ, sc memory"
  std::string incomplete;                  ///< why these runs do not show that there is no race; empty: they do
  std::vector<std::string> open_sections;  ///< "b0t0 holds l"
  TraceTables tables;
  std::vector<DetectorFindings> detectors;
};

/// Counts over several inputs.
class DetectionTotals {
 public:
  /// `race`: whether the input has one; nothing: not known.
  void add(const DetectionResult& result, std::optional<bool> race);

  struct Counts {
    std::uint64_t racy = 0;
    std::uint64_t clean = 0;
    std::uint64_t unknown = 0;

    std::uint64_t all() const { return racy + clean + unknown; }
  };
  const Counts& inputs() const { return inputs_; }
  /// In order of first appearance.
  const std::vector<std::pair<std::string, Counts>>& detectors() const { return detectors_; }

 private:
  Counts inputs_;
  std::vector<std::pair<std::string, Counts>> detectors_;
};

/// The text of a site's line in its source, without white space at its ends; empty where it cannot be read.
using SourceLine = std::function<std::string(std::string_view site)>;

/// Sentences about races that are kept for each detector of a test's page.
inline constexpr std::size_t kKeptSentences = 3;
/// Adds the sentences of races that are not there yet, while there is room.
void keep_sentences(std::span<const RaceReport> races, std::vector<std::string>& sentences);

}  // namespace ambit::report
