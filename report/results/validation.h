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

/// The numbers of a detector's first races by the oracle's result. Each run with a report has one first race.
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
  std::uint64_t bytes = 0;  ///< number of bytes of memory at the peak

  DetectorCost& operator+=(const DetectorCost& other) {
    events += other.events;
    seconds += other.seconds;
    bytes = std::max(bytes, other.bytes);
    return *this;
  }
};

/// The answer of one detector about one test.
struct ValidationFinding {
  std::string not_judged;  ///< why the detector has no answer; empty if it has an answer
  /// For each run, whether the detector reported a race. The value is absent if the detector reported no race but
  /// stopped early.
  std::vector<std::optional<bool>> racy;
  std::uint64_t racy_runs = 0;
  bool is_racy_program = false;  ///< for a detector of programs: whether it found a race in any run
  bool is_open = false;          ///< whether the detector stopped early in some run
  std::string failure;           ///< failure of the detector itself in some run; may be empty
  FirstRaces first_races;
  DetectorCost cost;                   ///< zero if not measured
  std::vector<std::string> sentences;  ///< sentences about its first races, without duplicates, at most kKeptSentences

  bool always(std::uint64_t runs) const { return is_racy_program || (racy_runs == runs && runs > 0); }
  bool found() const { return is_racy_program || racy_runs > 0; }
};

/// The answer of one model about one test.
struct ValidationVerdict {
  events::Possibility race = events::Possibility::Unknown;
  std::string because = {};     ///< the test's reason for its expectation about the model
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
  std::string incomplete;                 ///< why the runs do not rule out a race; empty if they do
  std::vector<std::string> schedules;     ///< for each run, its schedule in short form: "b0t0 x3, b1t0 x8"
  std::vector<std::uint64_t> run_events;  ///< for each run, the number of its events
  /// For each run, its number among all runs of the simulator. This numbering includes dropped runs.
  std::vector<std::uint64_t> run_numbers;
  std::vector<ValidationFinding> findings;  ///< one element for each detector
  std::vector<ValidationVerdict> verdicts;  ///< one element for each model
  std::uint64_t unordered_runs = 0;         ///< number of runs with an unordered pair, by the oracle (FirstRaces)
  std::uint64_t predictable_runs = 0;       ///< number of runs with a predictable race (oracle)
  bool oracle_is_open = false;              ///< whether the oracle could not decide some run
  std::string oracle_by_run;                ///< a mark for each run: P, u, . or ?
  std::bitset<kRaceKinds> oracle_kinds;     ///< kinds of the races that the oracle found
  std::bitset<3> oracle_levels;             ///< levels of the races that the oracle found, indexed by RaceLevel
  std::vector<RefutedRace> refuted;
  /// A picture of a run with a race, in the DOT language; may be empty.
  std::string timeline;
  std::vector<std::string> unmet;             ///< the test's `detect` expectations that were not met
  std::string exported_runs;                  ///< for --export; empty unless requested
  std::vector<std::string> exported_answers;  ///< for each detector, for --export; empty unless requested

  bool is_usable() const { return was_run && error.empty(); }
  /// Returns whether the detector shows that the test has no race: it judged every run and reported no race, and the
  /// runs show all behaviours of the test.
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
  std::vector<DetectorCost> costs;      ///< for each detector, for --stats; empty unless requested
  std::vector<SuiteAbout> suites = {};  ///< descriptions in suite files
};

/// Numbers of tests. Only tests with a label and with an answer of the detector count.
struct ValidationCounts {
  std::uint64_t true_positives = 0;   ///< racy tests with a report in some run
  std::uint64_t in_every_run = 0;     ///< racy tests with a report in every run
  std::uint64_t false_positives = 0;  ///< race-free tests with a report in some run
  std::uint64_t false_negatives = 0;
  std::uint64_t true_negatives = 0;
  std::uint64_t not_judged = 0;
  /// Tests with an unknown answer: no report, but the detector stopped early in some run, or some runs are missing.
  std::uint64_t not_known = 0;
};
/// The reference for the counts: the labels of the suite, or the oracle's verdict about each test (oracle_verdict).
enum class Against { Label, Oracle };
/// Returns whether the oracle finds a race in some run: a predictable race, or an unordered pair (FirstRaces). Returns
/// nothing if this is unknown.
std::optional<bool> oracle_verdict(const ValidationTest& test);
ValidationCounts count(const Validation& validation, std::size_t detector, Against against);

}  // namespace ambit::report
