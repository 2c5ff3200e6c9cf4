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

/// Counts a detector's first races by what the oracle says about them. Each run with a report has one first race.
struct FirstRaces {
  std::uint64_t real = 0;       ///< some reordering of the run shows the race
  std::uint64_t unordered = 0;  ///< nothing synchronises the accesses, but no reordering brings them together
  std::uint64_t refuted = 0;    ///< the oracle did not find the race
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
  std::uint64_t bytes = 0;  ///< peak memory in bytes

  DetectorCost& operator+=(const DetectorCost& other) {
    events += other.events;
    seconds += other.seconds;
    bytes = std::max(bytes, other.bytes);
    return *this;
  }
};

/// One detector's answer about one test.
struct ValidationFinding {
  std::string not_judged;  ///< why the detector has no answer; empty if it has an answer
  /// For each run, whether the detector reported a race. Absent for a run in which the detector reported no race but
  /// stopped early.
  std::vector<std::optional<bool>> racy;
  std::uint64_t racy_runs = 0;
  bool is_racy_program = false;  ///< for a detector of programs: whether it found a race in any run
  bool is_open = false;          ///< whether the detector stopped early in some run
  std::string failure;           ///< failure of the detector itself in some run; may be empty
  FirstRaces first_races;
  DetectorCost cost;                   ///< zero if not measured
  std::vector<std::string> sentences;  ///< sentences about first races, without duplicates, up to kKeptSentences

  bool always(std::uint64_t runs) const { return is_racy_program || (racy_runs == runs && runs > 0); }
  bool found() const { return is_racy_program || racy_runs > 0; }
};

/// One model's answer about one test.
struct ValidationVerdict {
  events::Possibility race = events::Possibility::Unknown;
  std::string because = {};     ///< the reason that the test gives for its expectation for the model
  std::string not_judged = {};  ///< why the model has no answer; empty if it has an answer
};

/// A first race that the oracle refutes: the detector claims that the race is real, but no reordering of the run shows
/// it.
struct RefutedRace {
  std::string detector;
  std::uint64_t run = 0;
  std::string race;           ///< "b0t0 k.cu:3 and b1t0 k.cu:13 on x"
  bool is_unordered = false;  ///< whether nothing synchronises the two accesses
};

/// The results of one test.
struct ValidationTest {
  std::string file;
  std::string name;
  std::shared_ptr<const Program> program;  ///< null if the test could not be read
  std::string error;                       ///< rendered diagnostics; may be empty
  bool was_run = true;                     ///< false if the user interrupted before the test began
  std::optional<bool> label;               ///< the suite's label: whether the test has a race
  std::string because;                     ///< reason for the label
  std::uint64_t runs = 0;
  std::string runs_are;                   ///< description of the runs: "all schedules that differ"
  std::string incomplete;                 ///< why the runs cannot exclude a race; empty if they can
  std::vector<std::string> schedules;     ///< for each run, its schedule in short form: "b0t0 x3, b1t0 x8"
  std::vector<std::uint64_t> run_events;  ///< for each run, the number of its events
  /// For each run, its number among all runs of the simulator, including dropped runs.
  std::vector<std::uint64_t> run_numbers;
  std::vector<ValidationFinding> findings;  ///< one element for each detector
  std::vector<ValidationVerdict> verdicts;  ///< one element for each model
  std::uint64_t unordered_runs = 0;         ///< number of runs in which the oracle finds an unordered pair (FirstRaces)
  std::uint64_t predictable_runs = 0;       ///< number of runs in which the oracle finds a predictable race
  bool oracle_is_open = false;              ///< whether the oracle could not decide some run
  std::string oracle_by_run;                ///< the oracle's mark for each run: P, u, . or ?
  std::bitset<kRaceKinds> oracle_kinds;     ///< kinds of the races that the oracle found
  std::bitset<3> oracle_levels;             ///< levels of the races that the oracle found, indexed by RaceLevel
  std::vector<RefutedRace> refuted;
  /// A picture of a run with a race, in the DOT language; may be empty.
  std::string timeline;
  std::vector<std::string> unmet;             ///< the test's `detect` expectations that were not met
  std::string exported_runs;                  ///< the runs as text, for --export; empty unless requested
  std::vector<std::string> exported_answers;  ///< each detector's answers, for --export; empty unless requested

  bool is_usable() const { return was_run && error.empty(); }
  /// Returns whether the detector shows that the test has no race. The detector must judge every run and report no
  /// race, and the runs must show all behaviours of the test.
  bool is_silent(const ValidationFinding& finding) const {
    return finding.not_judged.empty() && !finding.found() && !finding.is_open && incomplete.empty();
  }
};

/// The answers of detectors about tests, compared with labels, models and the oracle.
struct Validation {
  std::string suite;
  std::vector<std::string> detectors;
  std::vector<std::string> models;
  std::vector<ValidationTest> tests;
  /// Each detector's name for `ambit detect --detector`; empty if `ambit detect` cannot select the detector by a name.
  std::vector<std::string> detector_words;
  std::vector<std::string> detector_options;  ///< each detector's options for `ambit detect`: " -O gwcp.overlap=either"
  /// Options that make `ambit detect` repeat the runs: " --schedule pct ...".
  std::string replay_options;
  bool is_sampled = false;              ///< whether the runs are a sample of all schedules
  std::vector<DetectorCost> costs;      ///< each detector's cost, for --stats; empty unless requested
  std::vector<SuiteAbout> suites = {};  ///< descriptions of the suites, from their suite files
};

/// Numbers of tests. Counts only tests that have a label and an answer by the detector.
struct ValidationCounts {
  std::uint64_t true_positives = 0;   ///< racy tests with a report in some run
  std::uint64_t in_every_run = 0;     ///< racy tests with a report in every run
  std::uint64_t false_positives = 0;  ///< race-free tests with a report in some run
  std::uint64_t false_negatives = 0;
  std::uint64_t true_negatives = 0;
  std::uint64_t not_judged = 0;
  /// Tests with an unknown answer: there is no report, but the detector stopped early in a run, or runs are missing.
  std::uint64_t not_known = 0;
};
/// The reference for the counts: the suite's labels, or the oracle's verdict about each test (oracle_verdict).
enum class Against { Label, Oracle };
/// Returns whether the oracle finds a race in some run: a predictable race, or an unordered pair (FirstRaces). Returns
/// nothing if the oracle could not decide.
std::optional<bool> oracle_verdict(const ValidationTest& test);
ValidationCounts count(const Validation& validation, std::size_t detector, Against against);

}  // namespace ambit::report
