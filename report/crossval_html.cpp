#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/site.h"

namespace ambit::report {
namespace {

using Place = HtmlCell::Place;

Tone tone_of(const CrossRow& row, std::optional<bool> race) {
  if (row.label.empty() || !race) return Tone::Soft;
  return (row.label == "race") == *race ? Tone::Good : Tone::Bad;
}

HtmlCell race_cell(const CrossRow& row, std::optional<bool> race) {
  return {!race ? "" : *race ? "race" : "·", tone_of(row, race), !race ? "3" : *race ? "1" : "2", {}, Place::Middle};
}

HtmlCell number(std::uint64_t value) { return {fmt::format("{}", value), Tone::Plain, {}, {}, Place::Right}; }

/// "3 of 4": outcomes that were seen, of those that the model allows.
std::string seen_text(const CrossModel& model) {
  return fmt::format("{} of {}{}", model.seen, model.allowed, model.is_complete ? "" : " or more");
}

constexpr std::string_view kHowToRead =
    "<p>Each row is a small GPU program, run many times. A <b>model</b> says which outcomes the program may have and "
    "whether it "
    "has a data race; a <b>detector</b> looks at recorded runs and says whether it sees one (<b>race</b>, <b>·</b> "
    "none); the "
    "<b>label</b> is what the authors of the test say. <span class=\"good\">Green</span> agrees with the label, "
    "<span class=\"bad\">bold red</span> does not. <b>seen</b>: outcomes that were seen, of those that each model "
    "allows; "
    "<b>recorded</b>: runs with a recorder around each access; <b>traces</b>: sequences of accesses that differ among "
    "them, which "
    "the detectors looked at; <b>weak</b>: recordings that no sequence explains, so that no detector can look at "
    "them.</p>\n";

std::string test_table(std::span<const CrossRow> rows, const CrossRow& whole, const std::vector<std::string>& links) {
  HtmlTable table("tests");
  table.head("test");
  table.head("label");
  for (const CrossModel& model : whole.models) table.head(model.model, true);
  for (const CrossDetector& detector : whole.detectors) table.head(detector.detector, true);
  for (const char* head : {"runs", "outcomes"}) table.head(head);
  for (const CrossModel& model : whole.models) table.head("seen of " + model.model);
  for (const char* head : {"recorded", "traces", "weak"}) table.head(head);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CrossRow& row = rows[i];
    std::vector<HtmlCell> cells = {{row.test, Tone::Plain, {}, links[i]}, {row.label}};
    if (!row.error.empty()) {
      cells.push_back({"not run: " + row.error.substr(0, row.error.find('\n')), Tone::Doubtful});
      table.add(std::move(cells));
      continue;
    }
    for (const CrossModel& model : row.models) cells.push_back(race_cell(row, model.race));
    for (const CrossDetector& one : row.detectors) cells.push_back(race_cell(row, race_verdict(row, one)));
    cells.push_back(number(row.runs));
    cells.push_back(number(row.outcomes));
    for (const CrossModel& model : row.models) {
      const Tone tone = model.forbidden.empty() ? Tone::Plain : Tone::Bad;
      cells.push_back({seen_text(model), tone, {}, {}, Place::Right});
    }
    for (const std::uint64_t value : {row.recorded, row.traces, row.weak}) cells.push_back(number(value));
    table.add(std::move(cells));
  }
  return table.filter() + table.render();
}

std::string found_text(const CrossRow& row, const CrossDetector& one) {
  if (row.traces == 0) return "no trace to look at";
  return one.racy == 0 ? "in no trace" : fmt::format("in {} of {} traces", one.racy, row.traces);
}

}  // namespace

TestPage page_of(const CrossRow& row) {
  TestPage page;
  page.name = row.test;
  page.file = row.file;
  if (!row.label.empty()) page.facts.emplace_back("label", row.label);
  if (!row.error.empty()) page.alarms.push_back("Not run: " + row.error);
  for (const std::string& line : violations(std::span(&row, 1))) {
    page.alarms.push_back("An outcome was seen that a model forbids: " + line);
  }
  for (const CrossModel& model : row.models) {
    PageVerdict verdict;
    verdict.model = model.model;
    verdict.status = seen_text(model) + " seen";
    verdict.status_tone = model.forbidden.empty() ? Tone::Plain : Tone::Bad;
    if (model.race) verdict.race = *model.race ? "race" : "norace";
    verdict.race_tone = tone_of(row, model.race);
    page.verdicts.push_back(std::move(verdict));
  }
  for (const CrossDetector& one : row.detectors) {
    page.findings.push_back({one.detector, found_text(row, one), tone_of(row, race_verdict(row, one)), one.sentences});
  }
  for (const CrossOutcome& one : row.histogram) {
    page.outcomes.push_back({one.outcome, one.runs, fmt::format("{}", fmt::join(one.forbidden_by, ", "))});
  }
  if (row.error.empty()) {
    page.hardware =
        fmt::format("{}: {} runs, {} outcomes that differ. {} runs were recorded: {} traces that differ, {} weak.",
                    row.device, row.runs, row.outcomes, row.recorded, row.traces, row.weak);
  }
  return page;
}

std::string index_page(std::span<const CrossRow> rows, const std::vector<std::string>& links,
                       const std::vector<std::string>& notes) {
  std::string body;
  for (const std::string& note : notes) body += fmt::format("<p class=\"doubt\">{}</p>\n", html_text(note));
  const std::vector<std::string> bad = violations(rows);
  if (bad.empty()) {
    body += "<p>No outcome was seen that a model forbids.</p>\n";
  } else {
    body +=
        "<div class=\"alarm\"><b>Outcomes that a model forbids were seen</b>: a bug in the model or in the "
        "hardware.<ul>\n";
    for (const std::string& line : bad) body += fmt::format("<li>{}</li>\n", html_text(line));
    body += "</ul></div>\n";
  }
  body += kHowToRead;
  const auto whole = std::find_if(rows.begin(), rows.end(), [](const CrossRow& row) { return row.error.empty(); });
  if (whole != rows.end()) body += fmt::format("<p>{}. {}</p>\n", html_text(whole->device), html_text(score(rows)));
  body += test_table(rows, whole == rows.end() ? CrossRow{} : *whole, links);
  return html_page("Models, detectors and hardware side by side", body, true);
}

}  // namespace ambit::report
