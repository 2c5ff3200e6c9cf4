#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/html.h"
#include "report/validation.h"

namespace ambit::report {
namespace {

using events::Possibility;

/// By test; tests of the same name in different folders have different pages.
std::vector<std::string> page_names(const Validation& validation) {
  std::vector<std::string> names;
  std::set<std::string> taken{"index"};
  for (const ValidationTest& test : validation.tests) {
    const std::string name = html_file_name(test.name);
    std::string free = name;
    for (int i = 2; !taken.insert(free).second; ++i) free = fmt::format("{}-{}", name, i);
    names.push_back(free + ".html");
  }
  return names;
}

bool is_usable(const ValidationTest& test) { return test.was_run && test.error.empty(); }

std::string cell(const ValidationTest& test, std::string_view text, std::string_view key, bool says_race,
                 bool is_answer) {
  const std::string_view dress = !is_answer || !test.label ? "soft" : says_race == *test.label ? "good" : "bad";
  return fmt::format("<td class=\"c {}\" data-key=\"{}\">{}</td>", dress, key, html_text(text));
}

std::string finding_cell(const ValidationTest& test, const ValidationFinding& finding) {
  if (!finding.not_judged.empty()) return cell(test, "–", "4", false, false);
  if (finding.always(test.runs)) return cell(test, "race", "1", true, true);
  if (finding.found()) {
    return cell(test, fmt::format("{}/{}", finding.racy_runs, test.runs), "2", true, true);
  }
  return cell(test, finding.is_open ? "?" : "·", "3", false, !finding.is_open);
}

std::string verdict_cell(const ValidationTest& test, const ValidationVerdict& verdict) {
  if (verdict.race == Possibility::Unknown) return cell(test, "?", "4", false, false);
  const bool is_race = verdict.race == Possibility::Possible;
  return cell(test, is_race ? "race" : "·", is_race ? "1" : "3", is_race, true);
}

std::string upright_heads(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("<th class=\"up\">{}</th>", html_text(name));
  return text;
}

std::string_view label_text(const ValidationTest& test) { return !test.label ? "–" : *test.label ? "race" : "norace"; }

std::string test_table(const Validation& validation, const std::vector<std::string>& pages) {
  std::string text =
      "<p><input type=\"search\" placeholder=\"filter\" aria-label=\"filter\" data-filter=\"#tests\"></p>\n"
      "<table class=\"sortable\" id=\"tests\"><thead><tr><th>test</th><th>label</th><th>runs</th>" +
      upright_heads(validation.detectors) + "<th class=\"up\">oracle</th>" + upright_heads(validation.models) +
      "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < validation.tests.size(); ++i) {
    const ValidationTest& test = validation.tests[i];
    if (!is_usable(test)) continue;
    text += fmt::format("<tr><td><a href=\"{}\">{}</a></td><td>{}</td><td class=\"n\">{}</td>", pages[i],
                        html_text(test.name), label_text(test), test.runs);
    for (const ValidationFinding& finding : test.findings) text += finding_cell(test, finding);
    const std::string_view oracle = test.predictable_runs > 0 ? "race"
                                    : test.unordered_runs > 0 ? "unordered"
                                    : test.oracle_is_open     ? "?"
                                                              : "·";
    text += fmt::format("<td class=\"c\">{}</td>", oracle);
    for (const ValidationVerdict& verdict : test.verdicts) text += verdict_cell(test, verdict);
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n";
}

std::string counts_table(const Validation& validation) {
  std::string text =
      "<table class=\"sortable\"><thead><tr><th>detector</th><th>racy tests found</th><th>of these in every run</th>"
      "<th>false alarms</th><th>missed</th><th>right silence</th><th>not judged</th><th>false alarms by the "
      "oracle</th><th>missed by the oracle</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    const ValidationCounts label = count(validation, i, Against::Label);
    const ValidationCounts oracle = count(validation, i, Against::Oracle);
    text += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{} of {}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        html_text(validation.detectors[i]), label.true_positives, label.true_positives + label.false_negatives,
        label.in_every_run, label.false_positives, label.false_negatives, label.true_negatives, label.not_judged,
        oracle.false_positives, oracle.false_negatives);
  }
  return text + "</tbody></table>\n";
}

std::string index_page(const Validation& validation, const std::vector<std::string>& pages) {
  const std::string intro =
      "<p>Each detector looks at every run of every test. <b>race</b>: reported in every run; a fraction: in so many "
      "of "
      "the runs; <b>·</b>: in none; <b>–</b>: the detector does not judge such tests; <b>?</b>: not known. "
      "<span class=\"good\">Green</span> agrees with the suite's label, <span class=\"bad\">red</span> does not. The "
      "oracle says whether some reordering of some run brings two conflicting accesses together, or (unordered) "
      "whether "
      "two that nothing synchronises are kept apart by a read. The columns behind it "
      "are memory models, which look at all executions.</p>\n";
  return html_page(fmt::format("Detectors on {}", validation.suite),
                   intro + test_table(validation, pages) + "<h2>Sums</h2>\n" + counts_table(validation) +
                       "<h2>Notes</h2>\n<pre>" + html_text(validation_notes(validation)) + "</pre>\n",
                   true);
}

std::string runs_table(const Validation& validation, const ValidationTest& test) {
  constexpr std::size_t kMostRuns = 200;
  std::string text = "<table><thead><tr><th>run</th><th>schedule</th>" + upright_heads(validation.detectors) +
                     "</tr></thead><tbody>\n";
  for (std::size_t run = 0; run < std::min<std::size_t>(test.schedules.size(), kMostRuns); ++run) {
    text += fmt::format("<tr><td class=\"n\">{}</td><td>{}</td>", run, html_text(test.schedules[run]));
    for (const ValidationFinding& finding : test.findings) {
      const bool is_racy = run < finding.racy.size() && finding.racy[run];
      text += fmt::format("<td class=\"c\">{}</td>", !finding.not_judged.empty() ? "–" : is_racy ? "race" : "·");
    }
    text += "</tr>\n";
  }
  text += "</tbody></table>\n";
  if (test.schedules.size() > kMostRuns) text += fmt::format("<p>The first {} runs.</p>\n", kMostRuns);
  return text;
}

std::string test_page(const Validation& validation, const ValidationTest& test, const std::string& source) {
  std::string body = fmt::format("<p><a href=\"index.html\">All tests</a> · label: <b>{}</b> · {} runs: {}</p>\n",
                                 label_text(test), test.runs, html_text(test.runs_are));
  if (!source.empty()) body += fmt::format("<pre>{}</pre>\n", html_text(source));
  body += "<h2>Models</h2>\n<table><tbody>\n";
  for (std::size_t i = 0; i < test.verdicts.size(); ++i) {
    body += fmt::format("<tr><td>{}</td>{}<td>{}</td></tr>\n", html_text(validation.models[i]),
                        verdict_cell(test, test.verdicts[i]), html_text(test.verdicts[i].because));
  }
  body += "</tbody></table>\n<h2>Runs</h2>\n" + runs_table(validation, test);
  for (std::size_t i = 0; i < test.findings.size(); ++i) {
    if (test.findings[i].not_judged.empty()) continue;
    body += fmt::format("<p>{} does not judge this test: {}</p>\n", html_text(validation.detectors[i]),
                        html_text(test.findings[i].not_judged));
  }
  for (const RefutedRace& refuted : test.refuted) {
    body += fmt::format("<p class=\"doubt\">The oracle refutes the first race of {} in run {}: {}</p>\n",
                        html_text(refuted.detector), refuted.run, html_text(refuted.race));
  }
  return html_page(test.name, body);
}

}  // namespace

std::map<std::string, std::string> validation_pages(const Validation& validation) {
  const std::vector<std::string> names = page_names(validation);
  std::map<std::string, std::string> pages{{"index.html", index_page(validation, names)}};
  for (std::size_t i = 0; i < validation.tests.size(); ++i) {
    const ValidationTest& test = validation.tests[i];
    if (is_usable(test)) pages[names[i]] = test_page(validation, test, test.source);
  }
  return pages;
}

}  // namespace ambit::report
