#include "runner/cuda/stress/explorer.h"

#include <algorithm>

namespace ambit::cuda {
namespace {

constexpr double kFirstShare = 0.4;      ///< maximum share of the budget that the first pass uses
constexpr double kLongestFirst = 0.015;  ///< limit on the seconds for one set on one test in the first pass
constexpr double kTrialSeconds = 0.08;   ///< seconds of each trial after the first pass
constexpr std::size_t kSetsOfTrial = 4;  ///< number of sets that share kTrialSeconds
constexpr double kWeightOfOthers = 0.2;  ///< weight of an arm's results on tests of other shapes
constexpr unsigned kNewSetEvery = 3;     ///< on average, one in three sets is new

}  // namespace

Explorer::Explorer(std::vector<ExplorerTest> tests, std::vector<Stress> portfolio,
                   std::map<std::string, std::uint32_t> fixed, double budget, std::uint64_t seed)
    : arms_(std::move(portfolio)),
      portfolio_(arms_.size()),
      fixed_(std::move(fixed)),
      budget_(budget),
      first_seconds_(std::min(kLongestFirst * static_cast<double>(arms_.size()),
                              budget * kFirstShare / static_cast<double>(std::max<std::size_t>(tests.size(), 1)))),
      random_(seed) {
  for (ExplorerTest& test : tests) tests_.push_back({.known = std::move(test)});
}

std::optional<Trial> Explorer::next(double spent) {
  if (spent >= budget_) return std::nullopt;
  // Every test runs once, even a test without a missing outcome.
  while (first_ < tests_.size() && (tests_[first_].known.has_begun || tests_[first_].is_dropped)) ++first_;
  Trial trial;
  if (first_ < tests_.size()) {
    trial.test = first_;
    trial.is_first = true;
    for (std::size_t i = 0; i < portfolio_; ++i) trial.sets.push_back(i);
    trial.seconds = std::min(first_seconds_, budget_ - spent);
    return trial;
  }
  const auto test = choose_test();
  if (!test) return std::nullopt;
  trial.test = *test;
  for (std::size_t i = 0; i < kSetsOfTrial; ++i) trial.sets.push_back(choose_set(tests_[*test].known.shape));
  trial.seconds = std::min(kTrialSeconds, budget_ - spent);
  return trial;
}

void Explorer::take(const Trial& trial, const RunReport& report) {
  State& state = tests_[trial.test];
  const bool is_first = !state.known.has_begun;
  state.known.has_begun = true;
  if (!is_first) ++state.trials;
  std::set<std::size_t> winners;
  bool has_shown = false;
  for (const Sighting& sighting : report.sightings) {
    if (state.known.missing.erase(sighting.values) == 0) continue;
    has_shown = true;
    for (const std::size_t set : trial.sets) {
      Stress shown = sighting.first;
      shown.cell_memory = arms_[set].cell_memory;  // a test on several GPUs runs a set once for each CellMemory
      if (arms_[set] == shown) winners.insert(set);
    }
  }
  for (const std::size_t set : trial.sets) {
    for (Score* score : {&by_shape_[state.known.shape][set], &overall_[set]}) {
      (winners.contains(set) ? score->successes : score->failures) += 1;
    }
  }
  Score& shape = shapes_[state.known.shape];
  if (!is_first) (has_shown ? shape.successes : shape.failures) += 1;
}

std::size_t Explorer::lacking() const {
  std::size_t count = 0;
  for (std::size_t test = 0; test < tests_.size(); ++test) count += is_over(test) ? 0 : 1;
  return count;
}

void Explorer::drop(std::size_t test) { tests_[test].is_dropped = true; }

/// Draws a sample from the posterior distribution of a success rate: the beta distribution with a uniform prior.
double Explorer::sample(const Score& score) {
  const double a = std::gamma_distribution<double>(1 + score.successes)(random_);
  const double b = std::gamma_distribution<double>(1 + score.failures)(random_);
  return a / std::max(a + b, 1e-300);
}

/// Returns the test with the fewest trials, weighted by the success of its shape; nothing if no test has a missing
/// outcome.
std::optional<std::size_t> Explorer::choose_test() {
  std::map<std::string, double> luck;
  for (const auto& [shape, score] : shapes_) luck[shape] = sample(score);
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t i = 0; i < tests_.size(); ++i) {
    if (is_over(i)) continue;
    const auto known = luck.find(tests_[i].known.shape);
    const double chance = known == luck.end() ? 1 : known->second;
    const double rank = (static_cast<double>(tests_[i].trials) + 1) / (chance + 0.05);
    if (best && rank >= least) continue;
    best = i;
    least = rank;
  }
  return best;
}

/// Returns a changed copy of a successful set, or a random set.
std::size_t Explorer::new_set() {
  std::vector<std::size_t> good;
  for (const auto& [arm, score] : overall_) {
    if (score.successes > 0) good.push_back(arm);
  }
  const bool is_drawn = good.empty() || random_() % 2 == 0;
  Stress set = is_drawn ? draw(random_, arms_.front(), fixed_) : arms_[good[random_() % good.size()]];
  if (!is_drawn) {
    for (auto changes = 1 + random_() % 3; changes > 0; --changes) set = neighbour(random_, set, fixed_);
  }
  const auto known = std::ranges::find(arms_, set);
  if (known != arms_.end()) return static_cast<std::size_t>(known - arms_.begin());
  arms_.push_back(set);
  return arms_.size() - 1;
}

std::size_t Explorer::choose_set(const std::string& shape) {
  if (random_() % kNewSetEvery == 0) return new_set();
  const auto& here = by_shape_[shape];
  std::size_t best = 0;
  double most = -1;
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    const auto everywhere = overall_.find(arm);
    // A random set that has had no success is not tried again.
    if (arm >= portfolio_ && (everywhere == overall_.end() || everywhere->second.successes == 0)) continue;
    Score score;
    if (everywhere != overall_.end()) {
      score.successes = kWeightOfOthers * everywhere->second.successes;
      score.failures = kWeightOfOthers * everywhere->second.failures;
    }
    if (const auto known = here.find(arm); known != here.end()) {
      score.successes += known->second.successes;
      score.failures += known->second.failures;
    }
    const double value = sample(score);
    if (value <= most) continue;
    most = value;
    best = arm;
  }
  return best;
}

}  // namespace ambit::cuda
