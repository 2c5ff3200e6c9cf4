// The page of a detector in a validation's site.

#include <fmt/format.h>

#include <algorithm>

#include "report/html/pages.h"
#include "report/results/validation_scores.h"

namespace ambit::report {
namespace {

/// Returns the first run in which the detector reports a race; nothing if the detector reports no race.
std::optional<std::size_t> first_racy_run(const ValidationTest& test, const ValidationFinding& finding) {
  for (std::size_t run = 0; run < std::min(finding.racy.size(), test.run_numbers.size()); ++run) {
    if (finding.racy[run].value_or(false)) return run;
  }
  return std::nullopt;
}

std::string found_text(const ValidationTest& test, const ValidationFinding& finding) {
  if (!finding.not_judged.empty()) return "not judged: " + finding.not_judged;
  if (!finding.failure.empty()) return "failed: " + finding.failure;
  if (finding.found())
    return fmt::format("{} of {}", finding.is_racy_program ? test.runs : finding.racy_runs, test.runs);
  return test.is_silent(finding) ? "none" : "not known";
}

Tone tone_of(const ValidationTest& test, const ValidationFinding& finding) {
  const bool is_known = finding.found() || test.is_silent(finding);
  if (!test.label || !is_known || !finding.failure.empty()) return Tone::Soft;
  return finding.found() == *test.label ? Tone::Good : Tone::Bad;
}

std::string tests_table(const Validation& validation, std::size_t detector, const std::vector<std::string>& links) {
  HtmlTable table("tests");
  for (const char* head : {"test", "label", "runs with a report", "first reports", "a run with a report"})
    table.head(head);
  for (std::size_t i = 0; i < validation.tests.size(); ++i) {
    const ValidationTest& test = validation.tests[i];
    if (!test.is_usable()) continue;
    const ValidationFinding& finding = test.findings[detector];
    std::string sentences;
    for (const std::string& sentence : finding.sentences) sentences += (sentences.empty() ? "" : "\n") + sentence;
    const auto run = first_racy_run(test, finding);
    table.add({{test.name, Tone::Plain, {}, links[i]},
               {!test.label   ? "–"
                : *test.label ? "race"
                              : "norace"},
               {found_text(test, finding), tone_of(test, finding)},
               {sentences},
               {run ? replay_command(validation, test, *run, {detector}) : ""}});
  }
  return table.filter() + table.render();
}

}  // namespace

HtmlTable html_table(const ScoreTable& from) {
  HtmlTable table(from.name);
  for (const std::string& head : from.heads) table.head(head);
  for (const auto& row : from.rows) {
    std::vector<HtmlCell> cells;
    for (const std::string& text : row) cells.push_back({text});
    cells.resize(from.heads.size());
    table.add(std::move(cells));
  }
  return table;
}

std::string detector_page(const Validation& validation, std::size_t detector, const std::vector<std::string>& links) {
  const std::string& name = validation.detectors[detector];
  std::string body = "<p><a href=\"index.html\">All detectors</a></p>\n<h2>Tests</h2>\n" +
                     tests_table(validation, detector, links) +
                     "<p>The command in the last column shows the run to the detector again.</p>\n";
  for (ScoreTable table : score_tables(validation)) {
    if (table.name == "tests" || table.name == "kinds" || table.name == "levels") continue;
    const bool is_pair = table.name == "differences";
    std::erase_if(table.rows, [&](const auto& row) { return row[0] != name && !(is_pair && row[1] == name); });
    if (table.rows.empty()) continue;
    body += fmt::format("<h2>{}</h2>\n{}", html_text(table.title), html_table(table).render());
  }
  return html_page(fmt::format("{} on {}", name, validation.suite), body, true);
}

}  // namespace ambit::report
