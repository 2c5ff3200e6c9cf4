#include "report/text/summary.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "model/verdict/races.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

using Align = Table::Align;
using verdict::Status;

constexpr std::array<Status, 5> kStatuses = {Status::Ok, Status::Fail, Status::Unknown, Status::Error,
                                             Status::NothingExpected};

constexpr std::string_view kRace = "race";
constexpr std::string_view kNoRace = "norace";
constexpr std::string_view kSilent = "-";  ///< the model does not define races

std::string_view label_word(bool race) { return race ? kRace : kNoRace; }

/// How often a model's answers agree with a suite's labels.
struct Agreement {
  std::size_t agreeing = 0;
  std::size_t answered = 0;
  std::string text() const { return fmt::format("{} of {}", agreeing, answered); }
};

std::string race_word(const ModelResult& result) {
  if (!result.verdict) return "error";
  if (!verdict::speaks_of_races(*result.verdict->rules)) return std::string(kSilent);
  switch (result.verdict->race) {
    case events::Possibility::Possible: return std::string(kRace);
    case events::Possibility::Impossible: return std::string(kNoRace);
    case events::Possibility::Unknown: return "?";
  }
  return "?";
}

}  // namespace

void Summary::add(const TestResult& test) {
  ++tests_;
  if (!test.was_run) ++not_run_;
  has_internal_error_ = has_internal_error_ || test.is_internal_error;
  if (!test.error.empty() && !test.is_internal_error) has_bad_input_ = true;
  if (test.results.empty() && !test.error.empty()) ++totals_[static_cast<std::size_t>(Status::Error)];

  for (const ModelResult& result : test.results) {
    const auto status = static_cast<std::size_t>(result.judgement.status);
    ++totals_[status];
    const auto [counts, is_new] = by_model_.try_emplace(result.model);
    if (is_new) models_.push_back(result.model);
    ++counts->second[status];
  }
  if (!test.program) return;
  for (const SuiteLabel& label : test.program->labels) {
    LabelRow row{test.name(), label.race, {}};
    for (const ModelResult& result : test.results) {
      if (!result.termination) row.races[result.model] = race_word(result);
    }
    labels_[label.suite].push_back(std::move(row));
  }
}

std::string Summary::status_table(const Style& style) const {
  if (models_.empty()) return {};
  std::vector<Status> shown;  // OK and FAIL, and other statuses that occur
  for (const Status status : kStatuses) {
    if (status == Status::Ok || status == Status::Fail || count(status) > 0) shown.push_back(status);
  }
  std::vector<Align> columns(shown.size() + 1, Align::Right);
  columns[0] = Align::Left;
  Table table(columns);
  const auto add = [&](const std::string& name, const Counts& counts, bool strong) {
    std::vector<std::string> cells = {strong ? style.strong(name) : name};
    for (const Status status : shown) {
      const std::size_t number = counts[static_cast<std::size_t>(status)];
      const std::string text = fmt::format("{}", number);
      cells.push_back(number == 0 ? style.faint(text) : style.status(status, text));
    }
    table.add(std::move(cells));
  };
  std::vector<std::string> header = {style.strong("model")};
  for (const Status status : shown) header.push_back(style.strong(verdict::to_string(status)));
  table.add(std::move(header));
  for (const std::string& model : models_) add(model, by_model_.at(model), false);
  if (models_.size() > 1 || has_bad_input_) add("total", totals_, true);
  return table.render();
}

std::string Summary::label_tables(const Style& style) const {
  std::string out;
  for (const auto& [suite, rows] : labels_) {
    const std::string table = label_table(suite, rows, style);
    if (!out.empty() && !table.empty()) out += "\n";
    out += table;
  }
  return out;
}

std::string Summary::label_table(const std::string& suite, const std::vector<LabelRow>& rows,
                                 const Style& style) const {
  std::map<std::string, Agreement> agreements;
  for (const LabelRow& row : rows) {
    for (const auto& [model, word] : row.races) {
      if (word == kSilent) continue;
      Agreement& agreement = agreements[model];  // adds a column even if all answers of the model are Unknown
      if (word != kRace && word != kNoRace) continue;
      ++agreement.answered;
      if (word == label_word(row.race)) ++agreement.agreeing;
    }
  }
  // To make the table fit a screen, omits columns of a model with options if the model without options has a column.
  std::vector<std::string> shown;
  std::vector<std::string> variants;
  for (const std::string& model : models_) {
    if (!agreements.contains(model)) continue;
    const std::string base = model.substr(0, model.find('('));
    (base != model && agreements.contains(base) ? variants : shown).push_back(model);
  }
  if (shown.empty()) return {};
  Table table(std::vector<Align>(shown.size() + 2, Align::Left));
  std::vector<std::string> header = {style.strong(suite + " test"), style.strong("label")};
  for (const std::string& model : shown) header.push_back(style.strong(model));
  table.add(header);
  table.add_rule();
  bool differs = false;
  for (const LabelRow& row : rows) {
    std::vector<std::string> cells = {row.test, std::string(label_word(row.race))};
    for (const std::string& model : shown) cells.push_back(label_cell(row, model, style, differs));
    table.add(std::move(cells));
  }
  table.add_rule();
  std::vector<std::string> footer = {"agrees with the label", ""};
  for (const std::string& model : shown) footer.push_back(agreements[model].text());
  table.add(std::move(footer));

  std::string out = table.render();
  Table others({Align::Left, Align::Right});
  for (const std::string& model : variants) others.add({model, agreements[model].text()});
  if (!variants.empty()) out += "with other options\n" + others.render(2);
  if (differs) out += "* the model and the suite's label differ; the test's file says why\n";
  return out;
}

std::string Summary::label_cell(const LabelRow& row, const std::string& model, const Style& style, bool& differs) {
  const auto found = row.races.find(model);
  std::string word = found == row.races.end() ? "-" : found->second;
  if (word != kRace && word != kNoRace) return word;
  if (word == label_word(row.race)) return word == kRace ? style.bad(word) : word;
  differs = true;
  return style.doubtful(word + " *");
}

std::string Summary::one_line(const Style& style) const {
  std::size_t verdicts = 0;
  for (const std::size_t number : totals_) verdicts += number;
  std::string out = fmt::format("{} on {}:", plural(verdicts, "verdict"), plural(tests_ - not_run_, "test"));
  std::string_view separator = " ";
  for (const Status status : kStatuses) {
    const std::size_t number = count(status);
    if (number == 0) continue;
    const std::string_view name =
        status == Status::NothingExpected ? "without an expectation" : verdict::to_string(status);
    out += fmt::format("{}{}", separator, style.status(status, fmt::format("{} {}", number, name)));
    separator = ", ";
  }
  if (verdicts == 0) out += " no test was run";
  return out + "\n";
}

}  // namespace ambit::report
