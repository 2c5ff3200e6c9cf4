#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/html/pages.h"
#include "report/results/words.h"
#include "report/text/verdict_text.h"

namespace ambit::report {
namespace {

using verdict::Status;

Tone tone_of(Status status) {
  switch (status) {
    case Status::Ok: return Tone::Good;
    case Status::Fail:
    case Status::Error: return Tone::Bad;
    case Status::Unknown: return Tone::Doubtful;
    case Status::NothingExpected: return Tone::Soft;
  }
  return Tone::Plain;
}

/// Returns a key that sorts failures first.
int rank(Status status) {
  switch (status) {
    case Status::Error: return 0;
    case Status::Fail: return 1;
    case Status::Unknown: return 2;
    case Status::Ok: return 3;
    case Status::NothingExpected: return 4;
  }
  return 5;
}

Status worst(const TestResult& test) {
  Status status = test.error.empty() ? Status::NothingExpected : Status::Error;
  for (const ModelResult& result : test.results) {
    if (rank(result.judgement.status) < rank(status)) status = result.judgement.status;
  }
  return status;
}

std::string labels_of(const Program& program) {
  std::string text;
  for (const SuiteLabel& label : program.labels) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", label.suite, label.race ? "race" : "norace");
  }
  return text;
}

/// Returns the reasons that the test gives for its expectations for the model.
std::vector<std::string> reasons_of(const ModelResult& result, const Program& program) {
  std::vector<std::string> reasons = words_of(result).reasons;
  const auto add = [&](const std::string& because) {
    const bool is_there = std::find(reasons.begin(), reasons.end(), because) != reasons.end();
    if (!because.empty() && !is_there) reasons.push_back(because);
  };
  if (result.verdict) {
    for (const Expectation& one : program.expectations) {
      if (verdict::concerns(one, *result.verdict->rules)) add(one.because);
    }
  } else if (result.termination) {
    for (const TerminationExpectation& one : program.terminations) {
      if (one.scheduler == result.termination->scheduler && termination::concerns(one, *result.termination->rules)) {
        add(one.because);
      }
    }
  }
  return reasons;
}

/// Returns the model's answer in two short lines: how often the condition holds, and whether there is a race. If a
/// question was not asked, its line is "-".
HtmlCell in_short(const ModelResult& result) {
  const ResultWords words = words_of(result);
  const auto said = [](const std::string& word) { return word == "-" ? std::string() : word; };
  HtmlCell cell{said(words.frequency), tone_of(result.judgement.status)};
  cell.below = said(words.race.substr(0, std::min(words.race.find(" on "), words.race.find(','))));
  if (!result.has_verdict()) cell.text = result.judgement.status == verdict::Status::Error ? "error" : "not asked";
  return cell;
}

/// The title of the column that shows whether a spin loop or a barrier can wait forever. All models and schedulers
/// share this column.
constexpr std::string_view kTermination = "termination";

void add_termination(const ModelResult& result, std::vector<std::pair<std::string, HtmlCell>>& by_model) {
  const std::string text = fmt::format("{}: {}", result.model, termination::to_string(result.termination->termination));
  const Tone tone = tone_of(result.judgement.status);
  if (by_model.empty() || by_model.back().first != kTermination) {
    by_model.emplace_back(kTermination, HtmlCell{text, tone});
    return;
  }
  HtmlCell& cell = by_model.back().second;
  cell.text += "\n" + text;
  const bool is_worse = tone == Tone::Bad || (tone == Tone::Doubtful && cell.tone != Tone::Bad);
  if (is_worse) cell.tone = tone;
}

/// To make the table fit a screen, omits the column of a model with options if the model without options has a
/// column.
std::vector<std::string> columns_of(const std::vector<std::string>& models) {
  std::vector<std::string> columns;
  for (const std::string& model : models) {
    const std::string base = model.substr(0, model.find('('));
    const bool has_base = base != model && std::find(models.begin(), models.end(), base) != models.end();
    if (!has_base) columns.push_back(model);
  }
  return columns;
}

constexpr std::string_view kHowToReadModels =
    "<p>Each column is a memory model. A cell has the answer: how often the test's condition holds in the executions "
    "that the model allows, and whether some execution has a data race. <span class=\"good\">Green</span>: the test "
    "expects this answer; <span class=\"bad\">bold red</span>: the test expects another answer; <span "
    "class=\"doubt\">brown</span>: unknown; <span class=\"soft\">grey</span>: the test expects nothing. Models with "
    "options other than the default appear on the tests' pages and under the verdicts by model. Click a column's head "
    "to sort.</p>\n";

std::string status_table(const Summary& summary) {
  constexpr std::array<Status, 5> kStatuses = {Status::Ok, Status::Fail, Status::Unknown, Status::Error,
                                               Status::NothingExpected};
  HtmlTable table("models");
  table.head("model");
  for (const Status status : kStatuses) table.head(std::string(verdict::to_string(status)));
  const auto add = [&](const std::string& name, auto count) {
    std::vector<HtmlCell> row = {{name}};
    for (const Status status : kStatuses) {
      const std::size_t number = count(status);
      row.push_back(
          {fmt::format("{}", number), number == 0 ? Tone::Soft : tone_of(status), {}, {}, HtmlCell::Place::Right});
    }
    table.add(std::move(row));
  };
  for (const std::string& model : summary.models()) {
    add(model, [&](Status status) { return summary.counts(model)[static_cast<std::size_t>(status)]; });
  }
  return table.render();
}

}  // namespace

TestPage page_of(const TestResult& test) {
  TestPage page;
  page.name = test.name();
  page.file = test.file;
  if (!test.error.empty()) page.alarms.push_back(test.error);
  if (!test.program) return page;
  page.source = test.program->source;
  for (const SuiteLabel& label : test.program->labels) {
    page.facts.emplace_back(label.suite, fmt::format("{}{}{}", label.race ? "race" : "norace",
                                                     label.because.empty() ? "" : ", because ", label.because));
  }
  for (const ModelResult& result : test.results) {
    const bool waits = result.termination && result.termination->termination != termination::Termination::Terminates;
    if (waits && page.explanation.empty()) {  // shows one explanation: other models have similar ones
      page.explanation = fmt::format("{}\n{}", result.model, verdict_text(test, result, {}, Detail::Witness));
      page.more =
          fmt::format("ambit check {} --property termination shows this for other models and schedulers.", test.file);
    }
    const ResultWords words = words_of(result);
    PageVerdict verdict;
    verdict.model = result.model;
    verdict.status = verdict::to_string(result.judgement.status);
    verdict.status_tone = tone_of(result.judgement.status);
    verdict.condition = words.frequency == "-" ? "" : words.frequency;
    if (!words.condition.empty() && words.condition != "-") {
      verdict.condition += fmt::format(" ({}: {})", to_string(test.program->condition.quantifier), words.condition);
    }
    verdict.race = words.race == "-" ? "" : words.race;
    verdict.remarks = reasons_of(result, *test.program);
    page.verdicts.push_back(std::move(verdict));
  }
  return page;
}

void CheckIndex::add(const TestResult& test, const std::string& link) {
  const Status status = worst(test);
  const std::string word = test.was_run ? std::string(verdict::to_string(status)) : "not run";
  Row row;
  row.name = {test.name(), Tone::Plain, {}, link};
  row.name.below = std::filesystem::path(test.file).parent_path().string();
  if (test.program) row.labels = labels_of(*test.program);
  row.status = {word, test.was_run ? tone_of(status) : Tone::Doubtful,
                fmt::format("{}", test.was_run ? rank(status) : 2)};
  for (const ModelResult& result : test.results) {
    const std::string column = result.termination ? std::string(kTermination) : result.model;
    if (std::find(models_.begin(), models_.end(), column) == models_.end()) models_.push_back(column);
    if (result.termination) {
      add_termination(result, row.by_model);
    } else {
      row.by_model.emplace_back(result.model, in_short(result));
    }
  }
  rows_.push_back(std::move(row));
}

std::string CheckIndex::page(const Summary& summary, std::string_view title,
                             const std::vector<std::string>& notes) const {
  HtmlTable table("tests");
  for (const char* head : {"test", "label", "status"}) table.head(head);
  const std::vector<std::string> columns = columns_of(models_);
  for (const std::string& model : columns) table.head(model);
  for (const Row& row : rows_) {
    std::vector<HtmlCell> cells = {row.name, {row.labels}, row.status};
    for (const std::string& model : columns) {
      const auto found =
          std::find_if(row.by_model.begin(), row.by_model.end(), [&](const auto& one) { return one.first == model; });
      cells.push_back(found == row.by_model.end() ? HtmlCell{} : found->second);
    }
    table.add(std::move(cells));
  }
  std::string body = fmt::format("<p><b>{}</b></p>\n", html_text(summary.one_line({})));
  for (const std::string& note : notes) body += fmt::format("<p class=\"doubt\">{}</p>\n", html_text(note));
  const bool is_bad = summary.count(Status::Fail) + summary.count(Status::Unknown) + summary.count(Status::Error) > 0;
  body += fmt::format("<details{}><summary>Verdicts by model</summary>\n{}</details>\n", is_bad ? " open" : "",
                      status_table(summary)) +
          "<h2>Tests</h2>\n" + std::string(kHowToReadModels) + table.filter() + table.render();
  if (const std::string labels = summary.label_tables({}); !labels.empty()) {
    body += fmt::format("<h2>Models against the labels of suites</h2>\n<pre>{}</pre>\n", html_text(labels));
  }
  return html_page(title, body, true);
}

}  // namespace ambit::report
