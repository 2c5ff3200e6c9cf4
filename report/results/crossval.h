#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/results/detections.h"

namespace ambit::report {

/// The answer of one model about a test.
struct CrossModel {
  std::string model;
  std::optional<bool> race;  ///< nothing: the model does not define races, or its answer is Unknown
  std::uint64_t allowed = 0;
  bool is_complete = true;             ///< false: more outcomes may be allowed
  std::uint64_t seen = 0;              ///< allowed outcomes that hardware showed
  std::vector<std::string> forbidden;  ///< outcomes that hardware showed and the model does not allow, with counts
};

/// The reports of one detector on the recorded runs.
struct CrossDetector {
  std::string detector;
  std::uint64_t racy = 0;                   ///< traces with a race
  std::vector<std::string> sentences = {};  ///< of its first races, each once, at most kKeptSentences
  std::uint64_t without_verdict = 0;        ///< traces without a report, in which it gave up
};

/// A judge of races: a model, a detector on recorded runs, or a detector inside the kernel.
struct CrossJudge {
  std::string title;  ///< "ptx", "scord", "scord in GPU"
  std::optional<bool> race;
  const CrossDetector* replayed = nullptr;
  const Detections* in_gpu = nullptr;
};

/// An observed outcome.
struct CrossOutcome {
  std::string outcome;  ///< "P1:r0 == 1, P1:r1 == 0"
  std::uint64_t runs = 0;
  std::vector<std::string> allowed_by;    ///< models
  std::vector<std::string> forbidden_by;  ///< models; a model whose allowed outcomes are not all known is in neither
                                          ///< list
};

/// The runs without an outcome, and the recorded runs without a trace.
struct CrossIncidents {
  std::uint64_t deadlocks = 0;     ///< runs that ended in a deadlock
  std::uint64_t bound_hits = 0;    ///< runs stopped at the bound on steps
  std::uint64_t dropped = 0;       ///< runs in which an assume() or the filter was not met
  std::uint64_t uncounted = 0;     ///< besides `runs`: the device's table was too small for their outcome
  std::uint64_t unrecorded = 0;    ///< recorded runs that were not kept, or not made into traces
  std::vector<std::string> notes;  ///< of the runner: "memory for 65536 instances only"
};

/// The device of rows with runs of the simulator.
inline constexpr std::string_view kSimulator = "simulator";

/// The answers of models, detectors and runs about one test: a line of the campaign's log.
struct CrossRow {
  std::uint64_t number = 0;  ///< of the test among all tests of the campaign, from 0
  std::string file;
  std::string test;
  std::string label;   ///< "race", "norace" of the suite; empty: no label
  std::string device;  ///< its name, or kSimulator
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> more_seeds;  ///< of the other runs, if the row is a sum
  std::uint64_t part = 0;                 ///< of the results of this seed, which the table adds up
  std::uint64_t spent_milliseconds = 0;   ///< of the campaign's budget, for this part
  std::string error;                      ///< empty: none; counts are valid even with an error
  std::uint64_t runs = 0;                 ///< all, including those without an outcome
  std::uint64_t outcomes = 0;             ///< number of different outcomes
  std::vector<CrossOutcome> histogram;
  CrossIncidents incidents;
  std::uint64_t recorded = 0;  ///< runs of the recorder
  std::uint64_t traces = 0;    ///< different sequences of accesses
  std::uint64_t weak = 0;      ///< recorded runs that no sequence explains
  std::vector<CrossModel> models;
  std::vector<CrossDetector> detectors;
  std::vector<Detections> in_gpu;  ///< by detectors inside the kernel, in separate runs
  std::string witness;             ///< the text of a trace with a race by `witness_detector`; empty: none
  std::string witness_detector;    ///< its title

  /// Returns the verdicts of models and detectors about races, in the order of the table: models, then detectors. A
  /// detector inside the kernel follows the detector of the same name on recorded runs. The verdicts refer to this row.
  std::vector<CrossJudge> judges() const;
  bool has_forbidden() const;
  /// Returns the number of runs without any information: logs of older versions lack some.
  std::uint64_t unaccounted() const;
  /// Returns whether the test ran, at least in part.
  bool has_counts() const { return error.empty() || runs > 0; }
  /// Returns whether some question has no answer: the test did not run to its end, some outcomes were not counted, or a
  /// model or a detector has no verdict.
  bool is_open() const;
  /// Computes `outcomes`, and `seen` and `forbidden` of the models, from the histogram and `runs`.
  void count_outcomes();
};

/// Returns "MP and SB: ldetector did not run in the GPU: why", a line for each detector and reason.
std::vector<std::string> idle_detectors(std::span<const CrossRow> rows);
/// Returns "MP: ptx forbids 1 0 (3 of 1000 runs)", a line each. Names races that the model reports: models of the HRF
/// family and of CUDA C++ guarantee nothing about racy programs.
std::vector<std::string> violations(std::span<const CrossRow> rows);
/// The score of one model or detector over all tests. Tests without its verdict do not count.
struct CrossScore {
  std::string title;
  enum class Kind : std::uint8_t { Model, Replayed, InGpu } kind = Kind::Model;
  std::uint64_t labelled = 0;      ///< tests with a label
  std::uint64_t as_labelled = 0;   ///< with a verdict that agrees with the label
  std::uint64_t missed = 0;        ///< labelled as racy, without a reported race
  std::uint64_t false_alarms = 0;  ///< labelled as free of races, with a reported race
  std::uint64_t compared = 0;      ///< InGpu: tests on which the detector of that name has a verdict on recorded runs
  std::vector<std::size_t> differing;  ///< rows with a different verdict
};
/// Returns the scores in the order of the table.
std::vector<CrossScore> scores(std::span<const CrossRow> rows);
/// Returns the verdict on the recorded runs; nothing: there was no trace, or no race but some runs without a verdict.
std::optional<bool> race_verdict(const CrossRow& row, const CrossDetector& detector);
/// Returns "3 of 20 runs ended in a deadlock", an entry for each kind of incident that occurred, then the notes.
std::vector<std::string> incident_texts(const CrossRow& row);
/// Returns the titles of the models and detectors with a verdict on some test that ran, in the order of the table.
std::vector<std::string> judge_titles(std::span<const CrossRow> rows);

}  // namespace ambit::report
