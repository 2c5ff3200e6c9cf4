#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "report/html/pages.h"
#include "report/text/result_texts.h"

namespace ambit::report {
namespace {

using events::Possibility;
using Place = HtmlCell::Place;

HtmlCell cell(const ValidationTest& test, std::string text, std::string key, bool says_race, bool is_answer) {
  const Tone tone = !is_answer || !test.label ? Tone::Soft : says_race == *test.label ? Tone::Good : Tone::Bad;
  return {std::move(text), tone, std::move(key), {}, Place::Middle};
}

HtmlCell finding_cell(const ValidationTest& test, const ValidationFinding& finding) {
  if (!finding.not_judged.empty()) return cell(test, "–", "4", false, false);
  if (!finding.failure.empty()) return cell(test, "failed", "4", false, false);
  if (finding.always(test.runs)) return cell(test, "race", "1", true, true);
  if (finding.found()) return cell(test, fmt::format("{}/{}", finding.racy_runs, test.runs), "2", true, true);
  const bool is_silent = test.is_silent(finding);
  return cell(test, is_silent ? "·" : "?", "3", false, is_silent);
}

HtmlCell verdict_cell(const ValidationTest& test, const ValidationVerdict& verdict) {
  if (!verdict.not_judged.empty()) return cell(test, "–", "4", false, false);
  if (verdict.race == Possibility::Unknown) return cell(test, "?", "4", false, false);
  const bool is_race = verdict.race == Possibility::Possible;
  return cell(test, is_race ? "race" : "·", is_race ? "1" : "3", is_race, true);
}

std::string label_text(const ValidationTest& test) { return !test.label ? "–" : *test.label ? "race" : "norace"; }

std::string oracle_text(const ValidationTest& test) {
  if (test.predictable_runs > 0) return "race";
  if (test.unordered_runs > 0) return "unordered";
  return test.oracle_is_open ? "?" : "·";
}

HtmlCell count_cell(std::uint64_t value) { return {fmt::format("{}", value), Tone::Plain, {}, {}, Place::Right}; }

std::string test_table(const Validation& validation, const std::vector<std::string>& links) {
  HtmlTable table("tests");
  for (const char* head : {"test", "label", "runs"}) table.head(head);
  for (const std::string& detector : validation.detectors) table.head(detector, true);
  table.head("oracle", true);
  for (const std::string& model : validation.models) table.head(model, true);
  for (std::size_t i = 0; i < validation.tests.size(); ++i) {
    const ValidationTest& test = validation.tests[i];
    if (!test.is_usable()) continue;
    std::vector<HtmlCell> row = {{test.name, Tone::Plain, {}, links[i]}, {label_text(test)}, count_cell(test.runs)};
    for (const ValidationFinding& finding : test.findings) row.push_back(finding_cell(test, finding));
    row.push_back({oracle_text(test), Tone::Plain, {}, {}, Place::Middle});
    for (const ValidationVerdict& verdict : test.verdicts) row.push_back(verdict_cell(test, verdict));
    table.add(std::move(row));
  }
  return table.filter() + table.render();
}

std::string scores(const Validation& validation) {
  std::string text;
  for (const ScoreTable& table : score_tables(validation)) {
    if (table.name == "tests") continue;
    text += fmt::format("<h3>{}</h3>\n{}", html_text(table.title), html_table(table).render());
  }
  return text;
}

std::string counts_table(const Validation& validation, const std::vector<std::string>& links) {
  HtmlTable table("sums");
  for (const char* head :
       {"detector", "racy tests found", "of these in every run", "false positives", "missed", "right silence",
        "not judged", "not known", "false positives by the oracle", "missed by the oracle"}) {
    table.head(head);
  }
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    const ValidationCounts label = count(validation, i, Against::Label);
    const ValidationCounts oracle = count(validation, i, Against::Oracle);
    const std::string found =
        fmt::format("{} of {}", label.true_positives, label.true_positives + label.false_negatives);
    table.add({{validation.detectors[i], Tone::Plain, {}, i < links.size() ? links[i] : ""},
               {found, Tone::Plain, {}, {}, Place::Right},
               count_cell(label.in_every_run),
               count_cell(label.false_positives),
               count_cell(label.false_negatives),
               count_cell(label.true_negatives),
               count_cell(label.not_judged),
               count_cell(label.not_known),
               count_cell(oracle.false_positives),
               count_cell(oracle.false_negatives)});
  }
  return table.render();
}

constexpr std::string_view kHowToReadDetectors =
    "<p>Each detector examines every run of every test. <b>race</b>: reported in every run; a fraction: the share of "
    "runs with a report; <b>·</b>: in no run; <b>–</b>: the detector does not judge such tests, or the model says "
    "nothing of races; <b>?</b>: unknown; <b>failed</b>: the detector crashed or broke its protocol. <span "
    "class=\"good\">Green</span> agrees with the suite's label, <span "
    "class=\"bad\">bold red</span> does not. The oracle column says whether some reordering of a run brings two "
    "conflicting accesses together, or (unordered) whether nothing synchronises two conflicting accesses, but no "
    "reordering brings them together. The columns after it are memory models, which cover all executions.</p>\n";

std::string short_found_text(const ValidationTest& test, const ValidationFinding& finding) {
  if (!finding.not_judged.empty()) return "not judged";
  if (!finding.failure.empty()) return "failed";
  if (finding.always(test.runs)) return "in every run";
  if (finding.found()) return fmt::format("in {} of {} runs", finding.racy_runs, test.runs);
  return test.is_silent(finding) ? "in no run" : "not known";
}

std::string run_text(const ValidationFinding& finding, std::size_t run) {
  if (!finding.not_judged.empty() || run >= finding.racy.size()) return "–";
  return !finding.racy[run] ? "?" : *finding.racy[run] ? "race" : "·";
}

void add_runs(const Validation& validation, const ValidationTest& test, TestPage& page) {
  constexpr std::size_t kMostRuns = 200;
  for (const char* head : {"run", "schedule"}) page.runs.head(head);
  for (const std::string& detector : validation.detectors) page.runs.head(detector, true);
  for (std::size_t run = 0; run < std::min(test.schedules.size(), kMostRuns); ++run) {
    std::vector<HtmlCell> row = {count_cell(run), {test.schedules[run]}};
    for (const ValidationFinding& finding : test.findings) {
      row.push_back({run_text(finding, run), Tone::Plain, {}, {}, Place::Middle});
    }
    page.runs.add(std::move(row));
  }
  if (test.runs > kMostRuns) page.runs_note = fmt::format("The first {} of {} runs.", kMostRuns, test.runs);
}

/// Adds a line for each refuted race. The line names all detectors that claim the race.
void add_refuted(const ValidationTest& test, TestPage& page) {
  std::map<std::tuple<bool, std::uint64_t, std::string>, std::string> detectors;
  for (const RefutedRace& one : test.refuted) {
    std::string& names = detectors[{one.is_unordered, one.run, one.race}];
    names += (names.empty() ? "" : ", ") + one.detector;
  }
  for (const auto& [key, names] : detectors) {
    const auto& [is_unordered, run, race] = key;
    const std::string where = fmt::format("{} in run {}: {}", names, run, race);
    if (is_unordered) {
      page.notes.push_back("Nothing synchronises the accesses, but no reordering brings them together. First race by " +
                           where);
    } else {
      page.alarms.push_back("The oracle refutes the first race by " + where);
    }
  }
}

}  // namespace

TestPage page_of(const Validation& validation, const ValidationTest& test) {
  TestPage page;
  page.name = test.name;
  page.file = test.file;
  if (test.program) page.source = test.program->source;
  page.facts.emplace_back(
      "label", fmt::format("{}{}{}", label_text(test), test.because.empty() ? "" : ", because ", test.because));
  page.facts.emplace_back("runs", fmt::format("{} ({})", test.runs, test.runs_are));
  page.facts.emplace_back("oracle", oracle_text(test) == "·" ? "no race" : oracle_text(test));
  if (!test.incomplete.empty()) page.alarms.push_back("The runs do not show that there is no race: " + test.incomplete);
  for (const std::string& unmet : test.unmet) page.alarms.push_back("Not as expected: " + unmet);
  add_refuted(test, page);
  for (std::size_t i = 0; i < test.verdicts.size(); ++i) {
    const ValidationVerdict& verdict = test.verdicts[i];
    const HtmlCell shown = verdict_cell(test, verdict);
    PageVerdict one;
    one.model = validation.models[i];
    one.race = shown.text == "·" ? "norace" : shown.text;
    one.race_tone = shown.tone;
    if (!verdict.because.empty()) one.remarks.push_back(verdict.because);
    if (!verdict.not_judged.empty()) one.remarks.push_back(verdict.not_judged);
    page.verdicts.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < test.findings.size(); ++i) {
    const ValidationFinding& finding = test.findings[i];
    PageFinding one{validation.detectors[i], short_found_text(test, finding), finding_cell(test, finding).tone,
                    finding.sentences};
    if (!finding.not_judged.empty()) one.remarks.push_back(finding.not_judged);
    if (!finding.failure.empty()) page.alarms.push_back(validation.detectors[i] + " failed: " + finding.failure);
    page.findings.push_back(std::move(one));
  }
  add_runs(validation, test, page);
  return page;
}

std::string index_page(const Validation& validation, const ValidationLinks& links,
                       const std::vector<std::string>& notes) {
  std::string body;
  for (const std::string& note : notes) body += fmt::format("<p class=\"doubt\">{}</p>\n", html_text(note));
  body += std::string(kHowToReadDetectors) + test_table(validation, links.tests) + "<h2>Sums</h2>\n" +
          counts_table(validation, links.detectors) + "<h2>Scores</h2>\n" + scores(validation) +
          "<h2>Notes</h2>\n<pre>" + html_text(validation_notes(validation)) + "</pre>\n";
  return html_page(fmt::format("Detectors on {}", validation.suite), body, true);
}

}  // namespace ambit::report
