// The page of a test in a cross-validation's site.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/plural.h"
#include "report/html/pages.h"
#include "report/results/detection_result.h"
#include "report/results/words.h"
#include "report/text/result_texts.h"

namespace ambit::report {
namespace {

std::string found_text(const CrossRow& row, const CrossDetector& one) {
  if (row.traces == 0) return "no trace";
  std::string text = one.racy == 0 ? "in no trace" : fmt::format("in {} of {} traces", one.racy, row.traces);
  if (one.without_verdict > 0) text += fmt::format("\n{} without a verdict", plural(one.without_verdict, "trace"));
  const std::uint64_t unseen = row.weak + row.incidents.unrecorded;
  if (one.racy == 0 && unseen > 0) text += fmt::format("\n{} could not be judged", plural(unseen, "run"));
  return text;
}

std::string found_text(const Detections& found) {
  if (!found.not_run.empty()) return "not run: " + found.not_run;
  std::string text = found.racy == 0 ? fmt::format("in none of {}", plural(found.judged(), "run"))
                                     : fmt::format("in {} of {} ({})", found.racy, plural(found.judged(), "run"),
                                                   share(found.racy, found.judged()));
  if (found.without_verdict > 0) text += fmt::format("\n{} without a verdict", plural(found.without_verdict, "run"));
  return text;
}

PageFinding finding_of(const CrossRow& row, const CrossJudge& judge) {
  if (judge.in_gpu == nullptr) {
    return {judge.title, found_text(row, *judge.replayed), tone_of(row, judge.race), judge.replayed->sentences};
  }
  PageFinding finding{judge.title, found_text(*judge.in_gpu), tone_of(row, judge.race), {}};
  for (const Detections::Race& race : judge.in_gpu->races) {
    if (finding.remarks.size() < kKeptSentences) finding.remarks.push_back(sentence(race, {}));
  }
  return finding;
}

}  // namespace

TestPage page_of(const CrossRow& row) {
  TestPage page;
  page.name = row.test;
  page.file = row.file;
  if (!row.label.empty()) page.facts.emplace_back("label", row.label);
  if (!row.error.empty()) page.alarms.push_back((row.has_counts() ? "Error: " : "Not run: ") + row.error);
  for (const std::string& line : violations(std::span(&row, 1))) {
    page.alarms.push_back("A forbidden outcome was seen: " + line);
  }
  for (const CrossModel& model : row.models) {
    PageVerdict verdict;
    verdict.model = model.model;
    verdict.status = fmt::format("{} of {}{} seen", model.seen, model.allowed, model.is_complete ? "" : " or more");
    verdict.status_tone = model.forbidden.empty() ? Tone::Plain : Tone::Bad;
    if (model.race) verdict.race = *model.race ? "race" : "norace";
    verdict.race_tone = tone_of(row, model.race);
    page.verdicts.push_back(std::move(verdict));
  }
  for (const CrossJudge& judge : row.judges()) {
    if (judge.replayed != nullptr || judge.in_gpu != nullptr) page.findings.push_back(finding_of(row, judge));
  }
  for (const CrossOutcome& one : row.histogram) {
    page.outcomes.push_back({one.outcome, one.runs, fmt::format("{}", fmt::join(one.forbidden_by, ", "))});
  }
  if (row.has_counts()) {
    page.hardware = fmt::format("{}: {} runs, {} different outcomes. {} recorded runs: {} different traces, {} weak.",
                                row.device, row.runs, row.outcomes, row.recorded, row.traces, row.weak);
    for (const std::string& incident : incident_texts(row)) page.hardware += fmt::format(" Also: {}.", incident);
  }
  return page;
}

}  // namespace ambit::report
