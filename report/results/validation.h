#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "model/verdict/verdict.h"

namespace ambit::report {

/// What one detector said of one test.
struct ValidationFinding {
  std::string not_judged;  ///< why it has no answer; empty: it has
  /// By run: did it report a race. Nothing: it did not, and it gave up before it had looked at everything.
  std::vector<std::optional<bool>> racy;
  std::uint64_t racy_runs = 0;
  bool is_racy_program = false;        ///< of one that looks at the program: it has a race, whatever its runs are
  bool is_open = false;                ///< it gave up in some run
  std::vector<std::string> sentences;  ///< of its first races, each once, at most kKeptSentences

  bool always(std::uint64_t runs) const { return is_racy_program || (racy_runs == runs && runs > 0); }
  bool found() const { return is_racy_program || racy_runs > 0; }
};

/// What one model said of one test.
struct ValidationVerdict {
  events::Possibility race = events::Possibility::Unknown;
  std::string because = {};     ///< the reason that the test gives
  std::string not_judged = {};  ///< why the model cannot be asked; empty: it can
};

/// The first race that a detector which claims to be right about it reported in some run, and that no reordering of the
/// run brings about.
struct RefutedRace {
  std::string detector;
  std::uint64_t run = 0;
  std::string race;           ///< "b0t0 k.cu:3 and b1t0 k.cu:13 on x"
  bool is_unordered = false;  ///< only a read that synchronises nothing keeps the two apart
};

/// What became of one test.
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
  std::vector<ValidationFinding> findings;  ///< by detector
  std::vector<ValidationVerdict> verdicts;  ///< by model
  std::uint64_t unordered_runs = 0;         ///< the oracle: runs with a pair that only a read keeps apart
  std::uint64_t predictable_runs = 0;       ///< the oracle: runs with a predictable race
  bool oracle_is_open = false;              ///< of some run the oracle does not know
  std::vector<RefutedRace> refuted;
  std::string timeline;            ///< a run with a race, for Graphviz; empty: none, or not asked for
  std::vector<std::string> unmet;  ///< `detect` expectations of the test that were not met

  bool is_usable() const { return was_run && error.empty(); }
  /// The detector judged every run, these are all, and it reported no race in any.
  bool is_silent(const ValidationFinding& finding) const {
    return finding.not_judged.empty() && !finding.found() && !finding.is_open && incomplete.empty();
  }
};

/// Detectors × tests, beside labels, models and the oracle.
struct Validation {
  std::string suite;
  std::vector<std::string> detectors;
  std::vector<std::string> models;
  std::vector<ValidationTest> tests;
};

/// Of the tests with a label and a detector's answer.
struct ValidationCounts {
  std::uint64_t true_positives = 0;   ///< racy, found in some run
  std::uint64_t in_every_run = 0;     ///< of these, found in every run
  std::uint64_t false_positives = 0;  ///< not racy, reported in some run
  std::uint64_t false_negatives = 0;
  std::uint64_t true_negatives = 0;
  std::uint64_t not_judged = 0;
  std::uint64_t not_known = 0;  ///< no report, but it gave up in some run, or they are not all
};
/// Set against the labels of the suite, or, test by test, against the oracle: some run has a predictable race, or a
/// pair that nothing synchronises and only a read keeps apart.
enum class Against { Label, Oracle };
/// Set against the oracle: some run has a predictable race or an unordered pair. Nothing: it does not know.
std::optional<bool> oracle_verdict(const ValidationTest& test);
ValidationCounts count(const Validation& validation, std::size_t detector, Against against);

}  // namespace ambit::report
