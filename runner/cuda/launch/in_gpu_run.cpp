// The runs of a test whose kernel contains a detector.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "runner/cuda/emit/in_gpu.h"
#include "runner/cuda/launch/test_run.h"

namespace ambit::cuda {
namespace {

using ambit_kernel::kRaceTableSize;

constexpr double kDetectionSeconds = 0.02;
constexpr std::uint32_t kPauseTicks = 1U << 19U;  ///< approximately the duration of a round of all instances
constexpr std::uint64_t kMostRounds = 1U << 16U;

}  // namespace

Result<bool> TestRun::detect(const OnProgress& on_progress) {
  InGpuReport found;
  found.detector = part_.detector->name;
  const auto unchecked = examine(program_, *part_.detector);
  if (!unchecked) {
    found.not_run = unchecked.errors().front().message;
    report_.in_gpu.push_back(std::move(found));
    return true;
  }
  for (const std::string& remark : unchecked.value()) {
    report_.notes.push_back(fmt::format("{}: {}", found.detector, remark));
  }
  Result<bool> goes_on = run_detector(found, on_progress);
  if (goes_on) report_.in_gpu.push_back(std::move(found));
  return goes_on;
}

/// Returns the parameters for a launch. After a short time, threads that take turns run in lockstep, so that most
/// orders of their accesses never occur. Therefore threads pause at random in every second launch. As in runs without a
/// detector, two launches with spread_out() follow every two launches without it.
Stress TestRun::stress_of_detection(std::uint64_t launch) const {
  Stress stress = part_.stress;
  if (options_.alternate && launch % 4 >= 2) stress = spread_out(stress, options_.fixed);
  if (launch % 2 == 1 && !options_.fixed.contains("delay_ticks")) stress.delay_ticks = kPauseTicks;
  return stress;
}

/// Runs the kernel with the detector for the same time, or the same number of rounds, as the counted runs.
Result<bool> TestRun::run_detector(InGpuReport& found, const OnProgress& on_progress) {
  if (auto ready = use(stress_of_detection(0)); !ready) return ready;
  std::uint64_t done = 0;
  std::array<std::uint64_t, 4> next_rounds{1, 1, 1, 1};
  bool goes_on = true;
  for (std::uint64_t i = 0; (options_.rounds == 0 || done < options_.rounds) &&
                            (options_.seconds <= 0 || found.kernel_seconds < options_.seconds);
       ++i) {
    goes_on = !on_progress || on_progress(report_);
    if (!goes_on) break;
    stress_ = stress_of_detection(i);
    std::uint64_t& next = next_rounds[i % next_rounds.size()];
    const std::uint64_t rounds = options_.rounds > 0 ? std::min(next, options_.rounds - done) : next;
    const Result<double> took = launch(rounds);
    if (!took) return took.errors();
    ++report_.launches;  // the number of launches is part of the next launch's seed
    done += rounds;
    found.instances += instances() * rounds;
    found.kernel_seconds += took.value();
    const double factor = std::clamp(kDetectionSeconds / std::max(took.value(), 1e-6), 0.25, 16.0);
    next = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(rounds) * factor), 1, kMostRounds);
  }
  if (auto collected = collect_races(found); !collected) return collected;
  return goes_on;
}

Result<bool> TestRun::collect_races(InGpuReport& found) {
  const ambit_kernel::Detection& detection = loaded_.buffers.detection;
  std::array<std::uint64_t, 4> totals{};
  std::vector<std::uint64_t> races(kRaceTableSize);
  std::vector<std::uint64_t> counts(kRaceTableSize);
  const auto read = [&](void* to, const void* from, std::size_t bytes) {
    return driver_.read(to, reinterpret_cast<DevicePointer>(from), bytes);
  };
  if (auto done = read(totals.data(), detection.totals, sizeof(totals)); !done) return done;
  if (auto done = read(races.data(), detection.races, 8 * races.size()); !done) return done;
  if (auto done = read(counts.data(), detection.counts, 8 * counts.size()); !done) return done;
  found.without_verdict = totals[0];
  found.racy = totals[1];
  found.unplaced = totals[2];
  found.left_out = totals[3];
  for (std::size_t i = 0; i < races.size(); ++i) {
    if (counts[i] != 0) found.races.emplace_back(races[i], counts[i]);
  }
  std::sort(found.races.begin(), found.races.end());
  return true;
}

}  // namespace ambit::cuda
