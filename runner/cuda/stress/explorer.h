#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/expr.h"
#include "runner/cuda/stress/run_report.h"
#include "runner/cuda/stress/stress.h"

namespace ambit::cuda {

/// The data of a test at the start of a campaign that has a time budget.
struct ExplorerTest {
  std::string shape;                     ///< shape_of() from profiles.h; tests of the same shape share results
  std::set<std::vector<Value>> missing;  ///< expected outcomes that have not been seen yet
  bool has_begun = false;                ///< an earlier part of the campaign ran the test
};

/// The next run of a campaign with a budget.
struct Trial {
  std::size_t test = 0;
  bool is_first = false;          ///< the first trial of its test
  std::vector<std::size_t> sets;  ///< numbers of the parameter sets; each set gets an equal share of the seconds
  double seconds = 0;             ///< seconds of kernel time
};

/// Chooses the next test and its parameters. The aim is to see as many different outcomes as possible in a given time.
/// A first pass runs every test with every set of a portfolio. After the first pass, only tests with a missing outcome
/// run. The next test is the test with the fewest trials; shapes whose trials still show outcomes have more weight. A
/// multi-armed bandit with Thompson sampling chooses the sets (Thompson, Biometrika 25, 1933; Chapelle and Li, NIPS
/// 2011). The arms are the sets of the portfolio, random sets, and changed copies of successful sets. A trial succeeds
/// if it shows a missing outcome. Tests with the same shape share an arm's results. The seed and the reports determine
/// all choices.
class Explorer {
 public:
  /// Random sets keep the parameters in `fixed`. `budget` is the total number of seconds.
  Explorer(std::vector<ExplorerTest> tests, std::vector<Stress> portfolio, std::map<std::string, std::uint32_t> fixed,
           double budget, std::uint64_t seed);

  /// Returns the next trial. `spent` is the number of seconds of the budget so far. Returns nothing if the budget is
  /// spent or no outcome is missing.
  std::optional<Trial> next(double spent);
  /// Records the result of a trial.
  void take(const Trial& trial, const RunReport& report);
  /// Removes a test that failed, hung, or ended its worker process.
  void drop(std::size_t test);

  const Stress& set(std::size_t number) const { return arms_[number]; }
  /// Returns whether the test gets no further trials.
  bool is_over(std::size_t test) const { return tests_[test].is_dropped || tests_[test].known.missing.empty(); }
  /// Returns the number of tests that lack an outcome and still run.
  std::size_t lacking() const;
  const std::set<std::vector<Value>>& missing(std::size_t test) const { return tests_[test].known.missing; }

 private:
  struct State {
    ExplorerTest known;
    std::uint64_t trials = 0;  ///< number of trials after the first pass
    bool is_dropped = false;
  };
  struct Score {
    double successes = 0;
    double failures = 0;
  };

  std::optional<std::size_t> choose_test();
  std::size_t choose_set(const std::string& shape);
  double sample(const Score& score);
  std::size_t new_set();

  std::vector<State> tests_;
  std::vector<Stress> arms_;
  std::size_t portfolio_;  ///< number of sets in the portfolio; these sets are the first arms
  std::map<std::string, std::uint32_t> fixed_;
  double budget_;
  double first_seconds_;  ///< seconds for a test in the first pass
  std::mt19937_64 random_;
  std::size_t first_ = 0;                                         ///< number of the next test of the first pass
  std::map<std::string, std::map<std::size_t, Score>> by_shape_;  ///< for each shape, the scores of the arms
  std::map<std::size_t, Score> overall_;                          ///< scores of the arms on all tests together
  std::map<std::string, Score> shapes_;                           ///< scores of shapes after the first pass
};

}  // namespace ambit::cuda
