#include "report/text/result_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/plural.h"
#include "report/results/condition_source.h"
#include "report/results/words.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

using Align = Table::Align;

std::set<events::Outcome> all_outcomes(const TestResult& test) {
  std::set<events::Outcome> all;
  for (const ModelResult& result : test.results) {
    if (result.verdict) all.insert(result.verdict->answers.outcomes.begin(), result.verdict->answers.outcomes.end());
  }
  return all;
}

/// Returns whether the model allows the outcome: "yes", "no", or "?" if the model's answer is incomplete.
std::string allows(const ModelResult& result, const events::Outcome& outcome) {
  if (!result.verdict) return "error";
  const auto& outcomes = result.verdict->answers.outcomes;
  if (std::binary_search(outcomes.begin(), outcomes.end(), outcome)) return "yes";
  return result.verdict->unknown ? "?" : "-";
}

void add_header(Table& table, const TestResult& test, const Style& style) {
  std::vector<std::string> header;
  for (const Observable& observable : test.program->observables) header.push_back(style.strong(observable.name));
  if (test.program->condition.proposition) header.push_back(style.strong("condition"));
  for (const ModelResult& result : test.results) header.push_back(style.strong(result.model));
  if (header.empty()) header.emplace_back("(nothing is observed)");
  table.add(std::move(header));
}

}  // namespace

std::string outcomes_table(const TestResult& test, const Style& style) {
  const Program& program = *test.program;
  const bool has_proposition = program.condition.proposition.has_value();
  std::vector<Align> columns(program.observables.size(), Align::Right);
  columns.insert(columns.end(), test.results.size() + (has_proposition ? 1 : 0), Align::Left);
  if (columns.empty()) columns.push_back(Align::Left);
  Table table(columns);
  add_header(table, test, style);
  table.add_rule();
  const std::set<events::Outcome> outcomes = all_outcomes(test);
  for (const events::Outcome& outcome : outcomes) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < outcome.size(); ++i) {
      row.push_back(value_text(program, outcome[i], program.observables[i].type));
    }
    if (has_proposition) {
      row.push_back(events::holds(*program.condition.proposition, outcome) ? style.strong("holds") : "");
    }
    for (const ModelResult& result : test.results) row.push_back(allows(result, outcome));
    if (!row.empty()) table.add(std::move(row));
  }

  std::string out = style.strong(test.name()) + "\n";
  if (has_proposition) out += fmt::format("{}\n", condition_source(program));
  out += "\n" + table.render() + "\n";
  for (const ModelResult& result : test.results) {
    if (!result.verdict) continue;
    out += fmt::format("{}: {}", result.model, plural(result.verdict->answers.outcomes.size(), "outcome"));
    if (result.verdict->unknown) {
      out += style.doubtful(fmt::format(", perhaps more ({}: {}; {})", ambit::to_string(*result.verdict->unknown),
                                        result.verdict->unknown_detail, remedy(*result.verdict->unknown)));
    }
    out += "\n";
  }
  return out;
}

}  // namespace ambit::report
