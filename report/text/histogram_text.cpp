#include "report/text/result_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/plural.h"
#include "report/results/condition_source.h"
#include "report/results/rate.h"
#include "report/results/words.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

using Align = Table::Align;

constexpr std::uint64_t kBarWidth = 30;

bool holds(const RunResult& result, const std::vector<Value>& outcome) {
  const auto& proposition = result.program->condition.proposition;
  return proposition && evaluate(*proposition, outcome) != 0;
}

/// Returns a bar. The length of the bar is at least 1 if the count is not 0.
std::string bar(std::uint64_t count, std::uint64_t most) {
  const std::uint64_t width = (count * kBarWidth + most - 1) / most;
  return std::string(static_cast<std::size_t>(width), '#');
}

void add_header(Table& table, const RunResult& result, const Style& style) {
  std::vector<std::string> header;
  for (const Observable& observable : result.program->observables) header.push_back(style.strong(observable.name));
  if (header.empty()) header.push_back(style.faint("(nothing is observed)"));
  if (!result.is_search) {
    header.push_back(style.strong("runs"));
    header.push_back(style.strong("share"));
    header.emplace_back();
  }
  if (result.program->condition.proposition) header.push_back(style.strong("condition"));
  for (const AllowedOutcomes& model : result.models) header.push_back(style.strong(model.model));
  table.add(std::move(header));
}

std::string mark(const AllowedOutcomes& model, const std::vector<Value>& outcome, const Style& style) {
  if (is_forbidden(model, outcome)) return style.bad("FORBIDDEN");
  return std::binary_search(model.outcomes.begin(), model.outcomes.end(), outcome) ? "allowed" : "?";
}

std::string table_of(const RunResult& result, const Style& style) {
  const Program& program = *result.program;
  std::vector<Align> columns(std::max<std::size_t>(program.observables.size(), 1), Align::Right);
  if (!result.is_search) columns.insert(columns.end(), {Align::Right, Align::Right, Align::Left});
  columns.insert(columns.end(), result.models.size() + 1, Align::Left);
  Table table(columns);
  add_header(table, result, style);
  table.add_rule();
  std::uint64_t most = 1;
  for (const auto& [outcome, count] : result.histogram.outcomes) most = std::max(most, count);
  for (const auto& [outcome, count] : result.histogram.outcomes) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < outcome.size(); ++i) {
      row.push_back(value_text(program, outcome[i], program.observables[i].type));
    }
    if (row.empty()) row.emplace_back();
    if (!result.is_search) {
      row.push_back(fmt::format("{}", count));
      row.push_back(share(count, result.histogram.runs()));
      row.push_back(bar(count, most));
    }
    if (program.condition.proposition) row.push_back(holds(result, outcome) ? style.strong("holds") : "");
    for (const AllowedOutcomes& model : result.models) row.push_back(mark(model, outcome, style));
    table.add(std::move(row));
  }
  return table.render();
}

/// Returns a line for each kind of incident: "12 runs ended in a deadlock: ...".
std::string incidents(const Histogram& histogram, bool is_search) {
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count == 0) return;
    text += is_search ? fmt::format("some runs {}\n", what) : fmt::format("{} {}\n", plural(count, "run"), what);
  };
  add(histogram.deadlocks, "ended in a deadlock: some thread could not continue");
  add(histogram.bound_hits, "stopped at the bound on steps");
  add(histogram.dropped, "left out: an assumption or the filter was not met");
  add(histogram.assertion_failures, "with a failed assertion");
  add(histogram.out_of_bounds, "with an access out of bounds");
  return text;
}

std::string summary(const RunResult& result, const Style& style) {
  const Histogram& histogram = result.histogram;
  std::uint64_t holding = 0;
  for (const auto& [outcome, count] : histogram.outcomes) holding += holds(result, outcome) ? count : 0;
  std::string text = plural(histogram.outcomes.size(), "outcome");
  if (!result.is_search) text += fmt::format(" in {}", plural(histogram.runs(), "run"));
  if (result.is_exhaustive) text += ", and no other outcome exists";
  if (result.program->condition.proposition) {
    text += result.is_search ? fmt::format("; the condition {}", holding > 0 ? "can hold" : "holds in none")
                             : fmt::format("; the condition held in {}", holding);
  }
  text += "\n";
  if (!result.is_search && result.program->condition.proposition && histogram.complete() > 1) {
    const Rate rate = wilson_rate(holding, histogram.complete());
    text += fmt::format(
        "rate of the condition: {:.3g} of the runs with an outcome, 95 % interval {:.3g} to {:.3g} (Wilson)\n",
        rate.share, rate.low, rate.high);
  }
  text += incidents(histogram, result.is_search);
  if (!result.why_incomplete.empty()) {
    text += style.doubtful(fmt::format("there may be more outcomes: {}", result.why_incomplete)) + "\n";
  }
  if (result.is_interrupted) text += style.doubtful("interrupted: these are the results so far") + "\n";
  for (const AllowedOutcomes& model : result.models) {
    const auto seen = std::count_if(model.outcomes.begin(), model.outcomes.end(),
                                    [&](const auto& outcome) { return histogram.outcomes.contains(outcome); });
    text += fmt::format("{}: {} of {} allowed outcomes seen", model.model, seen, model.outcomes.size());
    text += model.is_complete ? "\n" : ", and more may be allowed (the model's answer is Unknown)\n";
  }
  for (const Detections& found : result.detections) text += detections_text(found, style);
  for (const std::string& remark : result.remarks) text += remark + "\n";
  return text;
}

}  // namespace

std::string histogram_table(const RunResult& result, const Style& style) {
  const Program& program = *result.program;
  std::string out = fmt::format("{}  {}\n", style.strong(result.name()), style.faint(result.how));
  if (program.condition.proposition) out += fmt::format("{}\n", condition_source(program));
  out += "\n";
  if (!result.histogram.outcomes.empty()) out += table_of(result, style) + "\n";
  return out + summary(result, style);
}

std::string open_line(const RunResult& result, const Style& style) {
  const std::vector<std::string> reasons = why_open(result);
  if (reasons.empty()) return {};
  return fmt::format("{}  {}  {}\n", style.doubtful("UNKNOWN"), result.name(), fmt::join(reasons, "; "));
}

}  // namespace ambit::report
