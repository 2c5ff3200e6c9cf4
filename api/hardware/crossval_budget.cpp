// Campaigns that spend a time budget on tests with missing outcomes.

#include <fmt/format.h>
#include <cmath>

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/hardware/crossval.h"
#include "base/plural.h"
#include "report/results/words.h"

namespace ambit::api {
namespace {

using Clock = std::chrono::steady_clock;

/// Tolerance in seconds: a budget counts as spent if at most this time is left. The log rounds times to milliseconds.
constexpr double kNothing = 0.1;

std::uint64_t in_milliseconds(double seconds) { return static_cast<std::uint64_t>(std::llround(seconds * 1000)); }

/// Returns whether all trials are done. If so, Ambit can print the results of the log without a GPU.
bool is_over(const cuda::Exploration& exploration) {
  return exploration.spent > exploration.budget - kNothing ||
         std::ranges::all_of(exploration.tests,
                             [](const auto& test) { return test.has_begun && test.missing.empty(); });
}

}  // namespace

/// Returns the missing outcomes of each test: the outcomes that the first model allows but that no earlier part of the
/// campaign produced.
cuda::Exploration Crossval::exploration() {
  cuda::Exploration exploration;
  exploration.budget = request_.budget;
  exploration.spent = spent_;
  std::map<std::uint64_t, std::set<std::string>> seen;
  for (const report::CrossRow& row : rows_) {
    Part& part = parts_[row.number];
    if (row.seed == request_.seed) part.next = std::max(part.next, row.part + 1);
    for (const report::CrossOutcome& one : row.histogram) seen[row.number].insert(one.outcome);
  }
  for (const std::uint64_t test : left_) {
    if (interrupted_) break;
    Part& part = parts_[test];
    part.answers = judge_.check_models(corpus_[test].program);
    cuda::ExplorerTest& known = exploration.tests.emplace_back();
    known.has_begun = part.next > 0;
    if (part.answers.empty()) continue;
    for (const std::vector<Value>& outcome : part.answers.front().outcomes) {
      const bool is_seen = seen[test].contains(report::outcome_text(*corpus_[test].program, outcome));
      (is_seen ? part.outcomes : known.missing).insert(outcome);
    }
  }
  return exploration;
}

std::string Crossval::run_with_budget() {
  for (const std::uint64_t test : left_) campaign_.tests.push_back(corpus_[test].program);
  cuda::Exploration exploration = this->exploration();
  if (interrupted_ || is_over(exploration)) return {};
  cuda::ExplorationEvents events;
  events.on_device = [this](const cuda::DeviceInfo& device) { device_ = device.name; };
  events.on_trial = [this](std::size_t test, std::size_t lacking, double spent) {
    if (!events_.on_progress) return;
    events_.on_progress(
        left_.size() - lacking, left_.size(),
        fmt::format("{}; {} with a missing outcome, {:.0f} of {:.0f} s", corpus_[left_[test]].program->name,
                    plural(lacking, "test"), spent, request_.budget));
  };
  events.on_end = [this](std::size_t test, const cuda::TestEnd& end, double seconds) {
    add_trial(left_[test], end, seconds);
  };
  const auto began = Clock::now();
  const auto ran = run_exploration(campaign_, std::move(exploration), events, interrupted_);
  // The time between trials also counts against the budget.
  const double took = std::chrono::duration<double>(Clock::now() - began).count();
  const auto open = std::ranges::find_if(parts_, [](const auto& entry) { return entry.second.trials > 0; });
  if (open != parts_.end()) open->second.seconds += std::max(took - in_trials_, 0.0);
  for (const std::uint64_t test : left_) keep_part(test);
  return ran.ok() ? "" : render(ran.errors());
}

void Crossval::add_trial(std::uint64_t test, const cuda::TestEnd& end, double seconds) {
  Part& part = parts_[test];
  part.seconds += seconds;
  in_trials_ += seconds;
  bool has_news = part.next == 0 || end.kind != cuda::TestEnd::Kind::Finished;
  for (const auto& [outcome, runs] : end.report.histogram.outcomes) {
    has_news = part.outcomes.insert(outcome).second || has_news;
  }
  // The first trial, which includes the recorded runs, becomes a separate part. So does a failed trial.
  if (part.next == 0 || end.kind != cuda::TestEnd::Kind::Finished) {
    keep_part(test);
    report::CrossRow row = row_of(test, end, part.answers);
    row.part = part.next++;
    row.spent_milliseconds = in_milliseconds(std::exchange(part.seconds, 0));
    keep(std::move(row));
    return;
  }
  ++part.trials;
  part.report.histogram.merge(end.report.histogram);
  part.report.uncounted += end.report.uncounted;
  for (const std::string& note : end.report.notes) {
    if (std::ranges::find(part.report.notes, note) == part.report.notes.end()) part.report.notes.push_back(note);
  }
  if (has_news) keep_part(test);
}

/// Records the results of all trials since the test's last part as the test's next part.
void Crossval::keep_part(std::uint64_t test) {
  Part& part = parts_[test];
  if (part.trials == 0) return;
  report::CrossRow row = row_of(
      test, {.kind = cuda::TestEnd::Kind::Finished, .message = {}, .report = std::move(part.report)}, part.answers);
  row.part = part.next++;
  row.spent_milliseconds = in_milliseconds(part.seconds);
  part.report = {};
  part.trials = 0;
  part.seconds = 0;
  keep(std::move(row));
}

}  // namespace ambit::api
