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
#include "runner/cuda/run_report.h"
#include "runner/cuda/stress.h"

namespace ambit::cuda {

/// What a campaign with a budget knows of a test before it runs.
struct ExplorerTest {
  std::string shape;                     ///< of profiles.h: tests of one shape share what they learn
  std::set<std::vector<Value>> missing;  ///< outcomes that are looked for and were not seen yet
  bool has_begun = false;                ///< an earlier part of the campaign ran it
};

/// The next run of a campaign with a budget.
struct Trial {
  std::size_t test = 0;
  bool is_first = false;          ///< of its test
  std::vector<std::size_t> sets;  ///< numbers of the sets of parameters, each with its share of the seconds
  double seconds = 0;             ///< of kernel time
};

/// Chooses which test runs next, and under which parameters, so that many different outcomes are seen within a given
/// time. A first pass runs every test under every set of a portfolio. After it, only tests run of which some outcome is
/// still missing. Which test: the one with the fewest trials, where a shape in which outcomes still appear counts more.
/// Which sets: a multi-armed bandit with Thompson sampling (Thompson, Biometrika 25, 1933; Chapelle and Li, NIPS 2011).
/// The arms are the sets of the portfolio, sets drawn at random, and changed sets that showed something; a trial
/// succeeds if it shows a missing outcome; tests of one shape share what is known of an arm. Deterministic for a seed
/// and the same reports.
class Explorer {
 public:
  /// `fixed`: parameters that no drawn set changes. `budget`: seconds of all of it.
  Explorer(std::vector<ExplorerTest> tests, std::vector<Stress> portfolio, std::map<std::string, std::uint32_t> fixed,
           double budget, std::uint64_t seed);

  /// `spent`: seconds of the budget that are over. Nothing: the budget is spent, or no outcome is missing.
  std::optional<Trial> next(double spent);
  /// What a trial showed.
  void take(const Trial& trial, const RunReport& report);
  /// The test runs no more: it failed, hung, or ended a worker.
  void drop(std::size_t test);

  const Stress& set(std::size_t number) const { return arms_[number]; }
  /// The test runs no more, unless another trial of it is under way.
  bool is_over(std::size_t test) const { return tests_[test].is_dropped || tests_[test].known.missing.empty(); }
  /// Tests of which an outcome is missing, and that still run.
  std::size_t lacking() const;
  const std::set<std::vector<Value>>& missing(std::size_t test) const { return tests_[test].known.missing; }

 private:
  struct State {
    ExplorerTest known;
    std::uint64_t trials = 0;  ///< behind the first pass
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
  std::size_t portfolio_;  ///< how many of them
  std::map<std::string, std::uint32_t> fixed_;
  double budget_;
  double first_seconds_;  ///< of a test in the first pass
  std::mt19937_64 random_;
  std::size_t first_ = 0;                                         ///< the next test of the first pass
  std::map<std::string, std::map<std::size_t, Score>> by_shape_;  ///< of arms
  std::map<std::size_t, Score> overall_;                          ///< of arms
  std::map<std::string, Score> shapes_;                           ///< of shapes, behind the first pass
};

}  // namespace ambit::cuda
