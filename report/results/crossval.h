#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/results/detections.h"

namespace ambit::report {

/// One model's answer about a test.
struct CrossModel {
  std::string model;
  std::optional<bool> race;  ///< absent if the model does not define races, or if its answer is Unknown
  std::uint64_t allowed = 0;
  bool is_complete = true;             ///< false if more outcomes may be allowed
  std::uint64_t seen = 0;              ///< number of allowed outcomes that hardware showed
  std::vector<std::string> forbidden;  ///< forbidden outcomes that hardware showed, with their counts
};

/// One detector's reports on the recorded runs.
struct CrossDetector {
  std::string detector;
  std::uint64_t racy = 0;  ///< number of traces with a race.
  /// Sentences about the detector's first races, without duplicates, at most kKeptSentences.
  std::vector<std::string> sentences = {};
  std::uint64_t without_verdict = 0;  ///< number of traces without a report in which the detector gave up
};

/// The source of a verdict about races: a model, a detector on recorded runs, or a detector inside the kernel.
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
  std::vector<std::string> allowed_by;  ///< models that allow the outcome.
  /// Models that forbid the outcome. A model with an incomplete answer may be missing in both `allowed_by` and
  /// `forbidden_by`.
  std::vector<std::string> forbidden_by;
};

/// The numbers of runs without an outcome, and of recorded runs without a trace for detectors.
struct CrossIncidents {
  std::uint64_t deadlocks = 0;   ///< number of runs that ended in a deadlock
  std::uint64_t bound_hits = 0;  ///< runs stopped at the bound on steps
  std::uint64_t dropped = 0;     ///< number of runs in which an assume() or the filter was not met
  /// Number of runs that `runs` does not include, because the device's table had no space for their outcome.
  std::uint64_t uncounted = 0;
  std::uint64_t unrecorded = 0;    ///< number of recorded runs that were not kept or not converted into traces
  std::vector<std::string> notes;  ///< notes of the runner: "memory for 65536 instances only"
};

/// The name of the device in rows that the simulator produced.
inline constexpr std::string_view kSimulator = "simulator";

/// The answers about one test from models, detectors and runs. A campaign's log has one line for each row.
struct CrossRow {
  std::uint64_t number = 0;  ///< 0-based number of the test among all tests of the campaign
  std::string file;
  std::string test;
  std::string label;   ///< the suite's label: "race", "norace" or empty
  std::string device;  ///< name of the GPU, or kSimulator
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> more_seeds;  ///< if the row is a sum of runs: the seeds of the other runs
  /// With a budget, a test can have several results under one seed, called parts. `part` is the number of this part.
  /// Tables add up all parts.
  std::uint64_t part = 0;
  std::uint64_t spent_milliseconds = 0;  ///< seconds of the campaign's budget that this part used
  std::string error;                     ///< may be empty; the counts are valid even if there is an error
  std::uint64_t runs = 0;                ///< number of all runs, including runs without an outcome
  std::uint64_t outcomes = 0;            ///< number of different outcomes
  std::vector<CrossOutcome> histogram;
  CrossIncidents incidents;
  std::uint64_t recorded = 0;  ///< number of recorded runs
  std::uint64_t traces = 0;    ///< number of different sequences of accesses in recorded runs
  std::uint64_t weak = 0;      ///< recorded runs for which no sequence of accesses explains the values
  std::vector<CrossModel> models;
  std::vector<CrossDetector> detectors;
  std::vector<Detections> in_gpu;  ///< reports of detectors inside the kernel, from separate runs
  std::string witness;             ///< text of a trace in which `witness_detector` reported a race; may be empty
  std::string witness_detector;    ///< title of the detector that reported the race in `witness`

  /// Returns the verdicts of models and detectors about races, in the order of the table: first models, then detectors.
  /// Each detector inside the kernel comes after the detector of the same name that processes recorded runs. The
  /// verdicts refer to this row.
  std::vector<CrossJudge> judges() const;
  bool has_forbidden() const;
  /// Returns the number of runs with no known result. Logs of older versions lack information about some runs.
  std::uint64_t unaccounted() const;
  /// Returns whether the test ran, even if it did not finish.
  bool has_counts() const { return error.empty() || runs > 0; }
  /// Returns whether some answer is missing: the test did not finish, some outcomes were not counted, or a model or a
  /// detector has no verdict.
  bool is_open() const;
  /// Computes `outcomes` and each model's `seen` and `forbidden` from the histogram and `runs`.
  void count_outcomes();
};

/// Returns one line for each detector and reason, with the tests: "MP and SB: ldetector did not run in the GPU: why".
std::vector<std::string> idle_detectors(std::span<const CrossRow> rows);
/// Returns one line for each forbidden outcome that was seen: "MP: ptx forbids 1 0 (3 of 1000 runs)". If the model
/// reports a race, the line says so, because models of the HRF family and of CUDA C++ guarantee nothing about racy
/// programs.
std::vector<std::string> violations(std::span<const CrossRow> rows);
/// The score of one model or detector over all tests with a verdict.
struct CrossScore {
  std::string title;
  enum class Kind : std::uint8_t { Model, Replayed, InGpu } kind = Kind::Model;
  std::uint64_t labelled = 0;      ///< number of tests with a label
  std::uint64_t as_labelled = 0;   ///< number of tests whose verdict agrees with the label
  std::uint64_t missed = 0;        ///< number of racy tests (by the label) without a reported race
  std::uint64_t false_alarms = 0;  ///< number of race-free tests (by the label) with a reported race
  /// For InGpu: number of tests for which the detector of the same name has a verdict from recorded runs.
  std::uint64_t compared = 0;
  std::vector<std::size_t> differing;  ///< indices of rows with a different verdict
};
/// Returns the scores in the order of the table.
std::vector<CrossScore> scores(std::span<const CrossRow> rows);
/// Returns the verdict about the recorded runs. Returns nothing if there was no trace, or if no trace had a race but
/// some runs have no verdict.
std::optional<bool> race_verdict(const CrossRow& row, const CrossDetector& detector);
/// Returns a text for each kind of incident that occurred, such as "3 of 20 runs ended in a deadlock". The notes
/// follow.
std::vector<std::string> incident_texts(const CrossRow& row);
/// Returns the titles of models and detectors, in the order of the table. Omits models and detectors that have no
/// verdict about any test that ran.
std::vector<std::string> judge_titles(std::span<const CrossRow> rows);

}  // namespace ambit::report
