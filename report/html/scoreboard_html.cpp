#include <fmt/format.h>

#include "base/plural.h"
#include "report/html/html.h"
#include "report/html/scoreboard_page.h"
#include "report/results/words.h"

namespace ambit::report {
namespace {

using Place = HtmlCell::Place;

constexpr std::string_view kHowToRead =
    "<p>Each figure is about the labelled tests of a suite that have an answer. <b>found</b>: racy tests with a "
    "reported "
    "race; <b>false positives</b>: race-free tests with a reported race. A dash: no answer about any test of the "
    "suite. "
    "A figure links to the answers of its row about each test of the suite.</p>\n";

/// Returns the sort key of a share: the quotient, so that 9 of 10 sorts above 10 of 20.
std::string share_key(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-1" : fmt::format("{:.6f}", static_cast<double>(part) / static_cast<double>(whole));
}

HtmlCell share_cell(std::uint64_t part, std::uint64_t whole, bool is_good, const std::string& page) {
  if (whole == 0) return {"–", Tone::Soft, "-1", {}, Place::Middle};
  return {fmt::format("{} of {}", part, whole), is_good ? Tone::Good : Tone::Bad, share_key(part, whole), page,
          Place::Middle};
}

void add_figure(std::vector<HtmlCell>& row, const ScoreboardFigure& figure) {
  HtmlCell found = share_cell(figure.found, figure.racy, figure.found == figure.racy, figure.page);
  if (figure.no_answer > 0) found.below = fmt::format("{} without an answer", figure.no_answer);
  row.push_back(std::move(found));
  row.push_back(share_cell(figure.false_positives, figure.race_free, figure.false_positives == 0, figure.page));
}

std::string rows_table(const Scoreboard& board) {
  HtmlTable table("board");
  table.group("", 2);
  for (const ScoreboardSuite& suite : board.suites) table.group(suite.name, 2);
  table.head("detector or tool");
  table.head("kind");
  for (std::size_t i = 0; i < board.suites.size(); ++i) {
    table.head("found");
    table.head("false positives");
  }
  for (const ScoreboardRow& row : board.rows) {
    std::vector<HtmlCell> cells = {{row.name}, {row.is_tool ? "tool" : "detector"}};
    for (const ScoreboardFigure& figure : row.figures) add_figure(cells, figure);
    table.add(std::move(cells));
  }
  return table.filter() + table.render();
}

std::string suites_table(const Scoreboard& board) {
  HtmlTable table;
  for (const char* head : {"suite", "racy tests", "race-free tests", "without a run", "repeats the runs"}) {
    table.head(head);
  }
  for (const ScoreboardSuite& suite : board.suites) {
    table.add({{suite.name, Tone::Plain, {}, suite.folder + "/index.html"},
               {fmt::format("{}", suite.racy), Tone::Plain, {}, {}, Place::Right},
               {fmt::format("{}", suite.race_free), Tone::Plain, {}, {}, Place::Right},
               {fmt::format("{}", suite.not_run), suite.not_run > 0 ? Tone::Bad : Tone::Plain, {}, {}, Place::Right},
               {suite.command}});
  }
  return table.render();
}

std::string tools_list(const Scoreboard& board) {
  std::string text;
  for (const ScoreboardRow& row : board.rows) {
    if (row.is_tool) text += fmt::format("<li>{}: {}</li>\n", html_text(row.name), html_text(row.about));
  }
  return text.empty() ? text : "<h2>Campaigns of the tools</h2>\n<ul>\n" + text + "</ul>\n";
}

Tone tone_of(const ToolRow& row) {
  const bool is_answer = row.answer == ToolRow::Answer::Race || row.answer == ToolRow::Answer::NoRace;
  if (!is_answer || !row.label) return Tone::Soft;
  return *row.label == (row.answer == ToolRow::Answer::Race) ? Tone::Good : Tone::Bad;
}

}  // namespace

std::string scoreboard_page(const Scoreboard& board, const std::vector<std::string>& notes) {
  std::string body;
  for (const std::string& note : notes) body += fmt::format("<p class=\"doubt\">{}</p>\n", html_text(note));
  body += std::string(kHowToRead) + rows_table(board) + "<h2>Suites</h2>\n" + suites_table(board) + tools_list(board);
  return html_page("Scoreboard", body, true);
}

std::string tool_page(const ToolTable& table, std::string_view about) {
  HtmlTable rows("tests");
  for (const char* head : {"test", "label", "answer", "reports"}) rows.head(head);
  for (const ToolRow& row : table.rows) {
    std::string reports = row.why;
    for (const std::string& report : row.reports) reports += (reports.empty() ? "" : "\n") + report;
    rows.add({{row.test},
              {!row.label   ? "–"
               : *row.label ? "race"
                            : "norace"},
              {std::string(to_string(row.answer)), tone_of(row)},
              {reports}});
  }
  std::string body = fmt::format("<p><a href=\"../index.html\">Scoreboard</a></p>\n<p>{}</p>\n", html_text(about));
  if (table.not_run > 0) {
    body +=
        fmt::format("<p class=\"doubt\">The log has no answer about {}.</p>\n", plural(table.not_run, "labelled test"));
  }
  return html_page(fmt::format("{} on {}", table.tool, table.suite), body + rows.filter() + rows.render(), true);
}

}  // namespace ambit::report
