#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/results/detections.h"

namespace ambit::report {

/// What one model says of a test.
struct CrossModel {
  std::string model;
  std::optional<bool> race;  ///< nothing: it has no notion of a race, or its answer is Unknown
  std::uint64_t allowed = 0;
  bool is_complete = true;             ///< false: perhaps more outcomes are allowed
  std::uint64_t seen = 0;              ///< allowed outcomes that hardware showed
  std::vector<std::string> forbidden;  ///< outcomes that hardware showed and the model does not allow, with counts
};

/// What one detector says of the recorded runs.
struct CrossDetector {
  std::string detector;
  std::uint64_t racy = 0;                   ///< traces with a race
  std::vector<std::string> sentences = {};  ///< of its first races, each once, at most kKeptSentences
  std::uint64_t without_verdict = 0;        ///< traces without a report in which it gave up
};

/// One who says of a test whether it has a race: a model, a detector on recorded runs, or one inside the kernel.
struct CrossJudge {
  std::string title;  ///< "ptx", "scord", "scord in GPU"
  std::optional<bool> race;
  const CrossDetector* replayed = nullptr;
  const Detections* in_gpu = nullptr;
};

/// An outcome that was seen.
struct CrossOutcome {
  std::string outcome;  ///< "P1:r0 == 1, P1:r1 == 0"
  std::uint64_t runs = 0;
  std::vector<std::string> allowed_by;    ///< models
  std::vector<std::string> forbidden_by;  ///< models; one whose allowed outcomes are not all known is in neither list
};

/// What became of the runs that are in no outcome's count, and of the recorded ones that are in no trace.
struct CrossIncidents {
  std::uint64_t deadlocks = 0;     ///< runs in which some thread could not go on
  std::uint64_t bound_hits = 0;    ///< runs stopped at the bound on steps
  std::uint64_t dropped = 0;       ///< runs in which an assume() or the filter was not met
  std::uint64_t uncounted = 0;     ///< besides `runs`: their outcome was one too many for the device's table
  std::uint64_t unrecorded = 0;    ///< of the recorded runs, those that were not kept, or not made into traces
  std::vector<std::string> notes;  ///< of the runner: "memory for 65536 instances only"
};

/// One test: models, detectors and hardware side by side. A line of the campaign's file.
struct CrossRow {
  std::uint64_t number = 0;  ///< of the test among all of the campaign, from 0
  std::string file;
  std::string test;
  std::string label;  ///< "race", "norace" of the suite; empty: none
  std::string device;
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> more_seeds;  ///< of the other runs, where several were added up
  std::string error;           ///< what went wrong; empty: nothing. The counts, if there are any, hold all the same
  std::uint64_t runs = 0;      ///< all, those without an outcome too
  std::uint64_t outcomes = 0;  ///< that differ
  std::vector<CrossOutcome> histogram;
  CrossIncidents incidents;
  std::uint64_t recorded = 0;  ///< runs of the recorder
  std::uint64_t traces = 0;    ///< sequences that differ
  std::uint64_t weak = 0;      ///< recordings that no sequence explains
  std::vector<CrossModel> models;
  std::vector<CrossDetector> detectors;
  std::vector<Detections> in_gpu;  ///< by detectors inside the kernel, in runs of their own
  std::string witness;             ///< a recorded trace in which `witness_detector` sees a race, as text; empty: none
  std::string witness_detector;    ///< its title

  /// What all who judge say of races, in the order of the table: models, then detectors, one inside the kernel next to
  /// that of the same name on recorded runs. They refer to this row.
  std::vector<CrossJudge> judges() const;
  bool has_forbidden() const;
  /// Runs of which nothing is said: a log of an older version did not say all that became of them.
  std::uint64_t unaccounted() const;
  /// It ran, if only in part: there is something to show beside the error.
  bool has_counts() const { return error.empty() || runs > 0; }
  /// Something that was asked has no answer: the test did not run to its end, outcomes found no place, or a model or a
  /// detector has no verdict.
  bool is_open() const;
  /// Makes `outcomes` and what the models say of them (`seen`, `forbidden`) from the histogram and `runs`.
  void count_outcomes();
};

/// "MP and SB: ldetector did not run in the GPU: why", a line for each detector and reason.
std::vector<std::string> idle_detectors(std::span<const CrossRow> rows);
/// "MP: ptx forbids 1 0 (3 of 1000 runs)", a line each; with a word where the model calls the test racy: those of the
/// HRF family and of CUDA C++ promise nothing of racy programs.
std::vector<std::string> violations(std::span<const CrossRow> rows);
/// How well one judge did over all tests. Tests of which it has no verdict do not count.
struct CrossScore {
  std::string title;
  enum class Kind : std::uint8_t { Model, Replayed, InGpu } kind = Kind::Model;
  std::uint64_t labelled = 0;      ///< tests with a label
  std::uint64_t as_labelled = 0;   ///< of them, those that it judges as the label says
  std::uint64_t missed = 0;        ///< tests labelled as racy in which it sees no race
  std::uint64_t false_alarms = 0;  ///< tests labelled as free of races in which it sees one
  std::uint64_t compared = 0;      ///< InGpu: tests of which the detector of that name on recorded runs has a verdict
  std::vector<std::size_t> differing;  ///< of them, the rows in which it says something else
};
/// In the order of the table.
std::vector<CrossScore> scores(std::span<const CrossRow> rows);
/// Of the recorded runs; nothing: there was none to look at, or it saw no race and there are some that it could not
/// look at.
std::optional<bool> race_verdict(const CrossRow& row, const CrossDetector& detector);
/// "3 of 20 runs ended in a deadlock", one entry for each kind of incident that there is, then the notes.
std::vector<std::string> incident_texts(const CrossRow& row);
/// Titles of all who judge some test of which there are counts, in the order of the table.
std::vector<std::string> judge_titles(std::span<const CrossRow> rows);

}  // namespace ambit::report
