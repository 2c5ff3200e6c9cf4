// Searches for the parameters that show the outcome of a test most often.

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "runner/cuda/launch/test_run.h"

namespace ambit::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTuningSeconds = 0.03;  ///< seconds for each set of parameters that the search tries

}  // namespace

/// Runs for about kTuningSeconds and returns how often per second the target was seen. Returns 0 if the parameters are
/// impossible.
Result<double> TestRun::rate_of(const Stress& stress, const OnProgress& on_progress) {
  if (auto ready = use(stress); !ready) {
    if (report_.launches == 0) return ready.errors();
    return 0.0;
  }
  const double began = report_.kernel_seconds;
  const std::uint64_t before = target_count_;
  report_.current = stress_;
  while (report_.kernel_seconds - began < kTuningSeconds) {
    if (on_progress && !on_progress(report_)) is_cancelled_ = true;
    if (is_cancelled_) break;
    if (auto stepped = step(kTuningSeconds / 2); !stepped) return stepped.errors();
  }
  return static_cast<double>(target_count_ - before) / std::max(report_.kernel_seconds - began, 1e-6);
}

Result<RunReport> TestRun::tune(const std::vector<Stress>& known, const OnProgress& on_progress) {
  const auto began = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
  std::vector<std::pair<double, Stress>> tried;
  const auto try_out = [&](const Stress& stress) -> Result<bool> {
    const Result<double> rate = rate_of(stress, on_progress);
    if (!rate) return rate.errors();
    tried.emplace_back(rate.value(), stress);
    std::sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    // Updates the report after each set, because the user may end the search.
    report_.tuned = tried.front().second;
    report_.tuned_rate = tried.front().first;
    report_.trials = tried.size();
    return true;
  };
  if (auto done = try_out(options_.stress); !done) return done.errors();
  for (Stress stress : known) {
    if (is_cancelled_ || elapsed() >= options_.tune_seconds) break;
    set_fixed(stress, options_.fixed);
    if (stress == options_.stress) continue;
    if (auto done = try_out(stress); !done) return done.errors();
  }
  while (!is_cancelled_ && elapsed() < options_.tune_seconds) {
    // Spends the second half of the time on variations of the best few sets.
    const bool is_local = elapsed() > options_.tune_seconds / 2 && tried.front().first > 0;
    const Stress& base = tried[random_() % std::min<std::size_t>(tried.size(), 3)].second;
    const Stress next =
        is_local ? neighbour(random_, base, options_.fixed) : draw(random_, options_.stress, options_.fixed);
    if (auto done = try_out(next); !done) return done.errors();
  }
  // Tries the best few sets again, because one good trial may have been luck.
  std::vector<std::pair<double, Stress>> best(tried.begin(),
                                              tried.begin() + std::min<std::ptrdiff_t>(3, std::ssize(tried)));
  for (auto& [rate, stress] : best) {
    if (is_cancelled_) break;
    const Result<double> again = rate_of(stress, on_progress);
    if (!again) return again.errors();
    rate = std::min(rate, again.value());
  }
  const auto winner =
      std::max_element(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  report_.tuned = winner->second;
  report_.tuned_rate = winner->first;
  return std::move(report_);
}

}  // namespace ambit::cuda
