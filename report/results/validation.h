#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/race_report.h"
#include "model/verdict/verdict.h"
#include "report/results/suite_about.h"

namespace ambit::report {

/// The first races that a detector reports in runs, classified by the oracle.
struct FirstRaces {
  std::uint64_t real = 0;       ///< some reordering of the run shows it
  std::uint64_t unordered = 0;  ///< only a read that synchronises nothing keeps the two accesses apart
  std::uint64_t refuted = 0;    ///< not among the oracle's races
  std::uint64_t unknown = 0;    ///< the oracle did not finish

  FirstRaces& operator+=(const FirstRaces& other) {
    real += other.real;
    unordered += other.unordered;
    refuted += other.refuted;
    unknown += other.unknown;
    return *this;
  }
};

/// The cost of a detector over all runs of a validation.
struct DetectorCost {
  std::uint64_t events = 0;
  double seconds = 0;
  std::uint64_t bytes = 0;  ///< peak

  DetectorCost& operator+=(const DetectorCost& other) {
    events += other.events;
    seconds += other.seconds;
    bytes = std::max(bytes, other.bytes);
    return *this;
  }
};

/// The answer of one detector about one test.
struct ValidationFinding {
  std::string not_judged;  ///< why it has no answer; empty: it has one
  /// By run: whether it reported a race. Nothing: it reported none, and stopped before it had examined everything.
  std::vector<std::optional<bool>> racy;
  std::uint64_t racy_runs = 0;
  bool is_racy_program = false;  ///< a detector of programs found a race, regardless of the runs
  bool is_open = false;          ///< it stopped early in some run
  std::string failure;           ///< failure of the detector itself in some run; empty: none
  FirstRaces first_races;
  DetectorCost cost;                   ///< zero: not measured
  std::vector<std::string> sentences;  ///< of its first races, each once, at most kKeptSentences

  bool always(std::uint64_t runs) const { return is_racy_program || (racy_runs == runs && runs > 0); }
  bool found() const { return is_racy_program || racy_runs > 0; }
};

/// The answer of one model about one test.
struct ValidationVerdict {
  events::Possibility race = events::Possibility::Unknown;
  std::string because = {};     ///< the reason that the test gives
  std::string not_judged = {};  ///< why the model has no answer; empty: it has one
};

/// A first race that a detector claims to be real, but that no reordering of the run shows.
struct RefutedRace {
  std::string detector;
  std::uint64_t run = 0;
  std::string race;           ///< "b0t0 k.cu:3 and b1t0 k.cu:13 on x"
  bool is_unordered = false;  ///< only a read that synchronises nothing keeps the two accesses apart
};

/// The results of one test.
struct ValidationTest {
  std::string file;
  std::string name;
  std::shared_ptr<const Program> program;  ///< absent where it could not be read
  std::string error;                       ///< rendered diagnostics; empty: none
  bool was_run = true;                     ///< false: interrupted before it
  std::optional<bool> label;               ///< the suite's: race
  std::string because;                     ///< of the label
  std::uint64_t runs = 0;
  std::string runs_are;                     ///< "all schedules that differ"
  std::string incomplete;                   ///< why the runs do not show that there is no race; empty: they do
  std::vector<std::string> schedules;       ///< by run: "b0t0 x3, b1t0 x8", shortened
  std::vector<std::uint64_t> run_events;    ///< by run: the number of its events
  std::vector<std::uint64_t> run_numbers;   ///< by run: its number among all runs of the simulator, including dropped
                                            ///< ones
  std::vector<ValidationFinding> findings;  ///< by detector
  std::vector<ValidationVerdict> verdicts;  ///< by model
  std::uint64_t unordered_runs = 0;         ///< the oracle: runs with a pair that only a read keeps apart
  std::uint64_t predictable_runs = 0;       ///< the oracle: runs with a predictable race
  bool oracle_is_open = false;              ///< the oracle could not decide some run
  std::string oracle_by_run;                ///< a mark for each run: P, u, . or ?
  std::bitset<kRaceKinds> oracle_kinds;     ///< kinds of the races that the oracle found
  std::bitset<3> oracle_levels;             ///< by RaceLevel
  std::vector<RefutedRace> refuted;
  std::string timeline;                       ///< a run with a race, for Graphviz; empty: none, or not requested
  std::vector<std::string> unmet;             ///< `detect` expectations of the test that were not met
  std::string exported_runs;                  ///< for --export; empty: not requested
  std::vector<std::string> exported_answers;  ///< by detector, for --export; empty: not requested

  bool is_usable() const { return was_run && error.empty(); }
  /// Returns whether the detector judged every run, all runs are known, and it reported no race.
  bool is_silent(const ValidationFinding& finding) const {
    return finding.not_judged.empty() && !finding.found() && !finding.is_open && incomplete.empty();
  }
};

/// Detectors × tests, with labels, models and the oracle.
struct Validation {
  std::string suite;
  std::vector<std::string> detectors;
  std::vector<std::string> models;
  std::vector<ValidationTest> tests;
  std::vector<std::string> detector_words;    ///< name of each for `ambit detect --detector`; empty: it has no name
                                              ///< there
  std::vector<std::string> detector_options;  ///< options of each for `ambit detect`: " -O gwcp.overlap=either"
  std::string replay_options;                 ///< options of `ambit detect` for the same runs: " --schedule pct ..."
  bool is_sampled = false;                    ///< the runs are a sample of all schedules
  std::vector<DetectorCost> costs;            ///< by detector, for --stats; empty: not requested
  std::vector<SuiteAbout> suites = {};        ///< descriptions in suite files
};

/// Counts over the tests with a label and a detector's answer.
struct ValidationCounts {
  std::uint64_t true_positives = 0;   ///< racy, found in some run
  std::uint64_t in_every_run = 0;     ///< of these, found in every run
  std::uint64_t false_positives = 0;  ///< not racy, reported in some run
  std::uint64_t false_negatives = 0;
  std::uint64_t true_negatives = 0;
  std::uint64_t not_judged = 0;
  std::uint64_t not_known = 0;  ///< no report, but it stopped early in some run, or some runs are missing
};
/// The reference of the counts: the labels of the suite, or, test by test, the oracle: some run has a predictable race,
/// or a pair that nothing synchronises and only a read keeps apart.
enum class Against { Label, Oracle };
/// Returns the oracle's verdict: some run has a predictable race or an unordered pair. Nothing: unknown.
std::optional<bool> oracle_verdict(const ValidationTest& test);
ValidationCounts count(const Validation& validation, std::size_t detector, Against against);

}  // namespace ambit::report
