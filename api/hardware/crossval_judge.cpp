#include "api/hardware/crossval_judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <utility>

#include "detector/detector.h"
#include "model/verdict/races.h"
#include "report/draw/trace_timeline.h"
#include "report/logs/test_hash.h"
#include "report/results/detection_result.h"
#include "report/results/words.h"
#include "trace/open_trace.h"
#include "trace/text_trace.h"

namespace ambit::api {
namespace {

/// A reader that ends early if the user interrupts; the caller then drops the verdicts.
class InterruptibleReader : public MemoryTraceReader {
 public:
  InterruptibleReader(const Trace& trace, const std::atomic<bool>& interrupted)
      : MemoryTraceReader(trace), interrupted_(interrupted) {}
  Result<std::size_t> read(std::span<TraceEvent> events) override {
    if (interrupted_) return std::size_t{0};
    return MemoryTraceReader::read(events);
  }

 private:
  const std::atomic<bool>& interrupted_;
};

/// Returns a trace in the text format; empty if a name in the trace is too long for this format.
std::string text_of(const Trace& trace) {
  std::ostringstream out;
  trace::TextTraceWriter writer(out);
  const bool is_written = writer.write(trace.tables, trace.events).ok() && writer.finish(trace.tables).ok();
  return is_written ? out.str() : "";
}

}  // namespace

void add_error(report::CrossRow& row, const std::string& error) {
  row.error += (row.error.empty() || row.error.ends_with('\n') ? "" : "\n") + error;
}

namespace {

/// Adds a detector's failure to a row, unless the row already contains it.
void add_failure(report::CrossRow& row, const std::string& failure) {
  if (row.error.find(failure) == std::string::npos) add_error(row, failure + "\n");
}

}  // namespace

std::string CrossvalJudge::prepare(const std::vector<std::string>& models, const DetectorSelection& detectors) {
  auto chosen = chosen_detectors(detectors);
  if (!chosen.ok()) return render(chosen.errors());
  detectors_ = std::move(chosen).value();
  std::erase_if(detectors_, [](const ChosenDetector& one) { return one.looks_at_programs(); });
  return models_.load(models);
}

std::vector<std::string> CrossvalJudge::detector_titles() const {
  std::vector<std::string> titles;
  for (const ChosenDetector& one : detectors_) titles.push_back(one.title());
  return titles;
}

std::string CrossvalJudge::rules_hash() const {
  std::string all;
  for (const parser::RulesPtr& rules : models()) all += report::rules_hash(*rules);
  return report::text_hash(all);
}

std::string CrossvalJudge::misfit(const report::CrossRow& row, const std::vector<std::string>& in_gpu) const {
  std::vector<std::string> models;
  for (const parser::RulesPtr& rules : models_.models()) models.push_back(verdict::model_name(*rules));
  std::vector<std::string> in_row;
  for (const report::CrossModel& model : row.models) in_row.push_back(model.model);
  // If a row has an error, some models or detectors may be absent from the row.
  const auto fits = [&](const std::vector<std::string>& names) {
    if (row.error.empty()) return in_row == names;
    return std::ranges::all_of(in_row,
                               [&](const std::string& one) { return std::ranges::find(names, one) != names.end(); });
  };
  if (!fits(models)) return fmt::format("expected the models {}", fmt::join(models, ", "));
  in_row.clear();
  for (const report::CrossDetector& one : row.detectors) in_row.push_back(one.detector);
  if (!fits(detector_titles())) return fmt::format("expected the detectors {}", fmt::join(detector_titles(), ", "));
  if (row.part > 0) return {};  // only the first part of a test's results has verdicts of detectors
  in_row.clear();
  for (const report::Detections& one : row.in_gpu) in_row.push_back(one.detector);
  if (!fits(in_gpu)) return fmt::format("expected the detectors inside the kernel {}", fmt::join(in_gpu, ", "));
  return {};
}

std::vector<ModelAnswer> CrossvalJudge::check_models(const std::shared_ptr<const Program>& program) {
  std::vector<ModelAnswer> answers;
  for (const parser::RulesPtr& rules : models()) {
    if (interrupted_) break;
    ModelAnswer& answer = answers.emplace_back();
    answer.model.model = verdict::model_name(*rules);
    auto verdict = models_.check(program, rules, !rules->flags.empty());
    if (!verdict.ok()) {
      answer.error = render(verdict.errors());
      answer.model.is_complete = false;
      continue;
    }
    answer.outcomes = std::move(verdict.value().answers.outcomes);
    answer.model.allowed = answer.outcomes.size();
    answer.model.is_complete = !verdict.value().unknown;
    if (verdict::speaks_of_races(*rules) && verdict.value().race != events::Possibility::Unknown) {
      answer.model.race = verdict.value().race == events::Possibility::Possible;
    }
  }
  return answers;
}

void CrossvalJudge::add_counts(report::CrossRow& row, const Program& program, const Histogram& histogram,
                               const std::vector<ModelAnswer>& answers) const {
  row.runs = histogram.runs();
  for (const auto& [outcome, runs] : histogram.outcomes) {
    report::CrossOutcome& seen = row.histogram.emplace_back();
    seen.outcome = report::outcome_text(program, outcome);
    seen.runs = runs;
    for (const ModelAnswer& answer : answers) {
      if (std::ranges::binary_search(answer.outcomes, outcome)) {
        seen.allowed_by.push_back(answer.model.model);
      } else if (answer.model.is_complete) {
        seen.forbidden_by.push_back(answer.model.model);
      }
    }
  }
  row.incidents.deadlocks = histogram.deadlocks;
  row.incidents.bound_hits = histogram.bound_hits;
  row.incidents.dropped = histogram.dropped;
  for (const ModelAnswer& answer : answers) {
    if (!answer.error.empty()) add_error(row, answer.error);
    row.models.push_back(answer.model);
  }
  row.count_outcomes();
}

void CrossvalJudge::begin_traces(report::CrossRow& row) const {
  for (const ChosenDetector& one : detectors_) row.detectors.emplace_back().detector = one.title();
}

void CrossvalJudge::replay(report::CrossRow& row, const Trace& trace, bool is_cut) const {
  ++row.traces;
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  for (const ChosenDetector& one : detectors_) detectors.push_back(one.make(trace.tables, {row.test, row.traces - 1}));
  InterruptibleReader reader(trace, interrupted_);
  if (const auto replayed = detector::replay(reader, detectors); !replayed.ok()) {
    add_error(row, render(replayed.errors()));
    for (report::CrossDetector& one : row.detectors) ++one.without_verdict;
    return;
  }
  for (std::size_t i = 0; i < detectors.size(); ++i) {
    const std::vector<RaceReport> races = detectors[i]->races();
    row.detectors[i].racy += races.empty() ? 0 : 1;
    row.detectors[i].without_verdict += races.empty() && (is_cut || detectors[i]->is_open()) ? 1 : 0;
    report::keep_sentences(races, row.detectors[i].sentences);
    if (const auto failure = detectors[i]->failure()) add_failure(row, detectors_[i].title() + ": " + *failure);
    if (!row.witness.empty() || !report::first_drawable(races)) continue;
    row.witness = text_of(trace);
    row.witness_detector = detectors_[i].title();
  }
}

std::string CrossvalJudge::timeline(const report::CrossRow& row) const {
  const auto chosen = std::find_if(detectors_.begin(), detectors_.end(),
                                   [&](const ChosenDetector& one) { return one.title() == row.witness_detector; });
  if (row.witness.empty() || chosen == detectors_.end()) return {};
  trace::TextTraceReader text(std::make_unique<std::istringstream>(row.witness), row.test);
  const auto trace = trace::read_all(text);
  if (!trace.ok()) return {};
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  detectors.push_back(chosen->make(trace.value().tables, {row.test, 0}));
  MemoryTraceReader first(trace.value());
  if (!detector::replay(first, detectors).ok()) return {};
  const auto race = report::first_drawable(detectors.front()->races());
  if (!race) return {};
  MemoryTraceReader second(trace.value());
  auto timeline = report::read_timeline(second, trace.value().events.size(), {*race}, {});
  if (!timeline.ok()) return {};
  timeline.value().title = row.test + "\na race by " + chosen->title();
  return report::timeline_dot(timeline.value());
}

}  // namespace ambit::api
