#include "report/text/tool_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/plural.h"
#include "report/results/words.h"

namespace ambit::report {
namespace {

using Answer = ToolRow::Answer;

std::string_view label_of(const ToolRow& row) { return !row.label ? "-" : *row.label ? "race" : "norace"; }

std::string_view mark_of(Answer answer) {
  switch (answer) {
    case Answer::Race: return "x";
    case Answer::NoRace: return ".";
    case Answer::NoProgram: return "-";
    case Answer::Failed: break;
  }
  return "?";
}

std::string share_of(std::size_t part, std::size_t all) { return all == 0 ? "-" : share(part, all); }

std::string sums(const ToolTable& table) {
  const ToolScores scores = scores_of(table);
  const std::size_t racy = scores.found + scores.missed;
  const std::size_t reported = scores.found + scores.false_alarms;
  std::string text =
      fmt::format("racy tests found   {} of {}\nmissed races       {}\nfalse positives    {} of {}\n", scores.found,
                  racy, scores.missed, scores.false_alarms, scores.false_alarms + scores.silent);
  text += fmt::format("precision          {}\nrecall             {}\n", share_of(scores.found, reported),
                      share_of(scores.found, racy));
  if (scores.unlabelled > 0) text += fmt::format("without a label    {}\n", scores.unlabelled);
  if (scores.no_program > 0) text += fmt::format("no program         {}\n", scores.no_program);
  if (scores.failed > 0) text += fmt::format("failed             {}\n", scores.failed);
  if (table.not_run > 0) text += fmt::format("not run            {}\n", table.not_run);
  return text;
}

/// Returns the tests without an answer, grouped by reason.
std::string reasons(const ToolTable& table, Answer answer, std::string_view title) {
  std::map<std::string, std::vector<std::string>> tests;
  for (const ToolRow& row : table.rows) {
    if (row.answer == answer) tests[row.why].push_back(row.test);
  }
  if (tests.empty()) return {};
  std::string text = fmt::format("\n{}\n", title);
  for (const auto& [why, names] : tests) text += fmt::format("  {}\n    {}\n", why, first_names(names));
  return text;
}

}  // namespace

std::string tool_text(const ToolTable& table) {
  std::size_t width = 4;
  for (const ToolRow& row : table.rows) width = std::max(width, row.test.size());
  std::string text =
      fmt::format("{}{} on {}: {} of each program\n\n", table.tool,
                  table.about.empty() ? "" : fmt::format(", {},", table.about), table.suite, plural(table.runs, "run"));
  text += suites_text(table.suites);
  text += fmt::format("{:<{}}  label   {}\n", "test", width, table.tool);
  for (const ToolRow& row : table.rows) {
    text += fmt::format("{:<{}}  {:<6}  {}\n", row.test, width, label_of(row), mark_of(row.answer));
  }
  text += "\nx race reported   . none   - CUDA C++ cannot express the test   ? the tool or the compiler failed\n\n";
  return text + sums(table) + reasons(table, Answer::NoProgram, "tests without a program") +
         reasons(table, Answer::Failed, "tests on which the tool or the compiler failed");
}

}  // namespace ambit::report
