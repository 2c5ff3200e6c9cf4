#include "api/hardware/crossval.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/check/explanation.h"
#include "model/verdict/verdict.h"
#include "report/html/pages.h"

namespace ambit::api {
namespace {

/// If runs produced a forbidden outcome, explains on the test's page why the model forbids the outcome.
void explain_forbidden(const report::CrossRow& row, const CrossvalJudge& judge, SiteTest& test) {
  for (const report::CrossOutcome& one : row.histogram) {
    const auto forbids = [&](const parser::RulesPtr& rules) {
      return std::ranges::find(one.forbidden_by, verdict::model_name(*rules)) != one.forbidden_by.end();
    };
    const auto model = std::ranges::find_if(judge.models(), forbids);
    if (model == judge.models().end()) continue;
    test.rules = *model;
    test.outcome = outcome_proposition(one.outcome);
    return;
  }
}

}  // namespace

std::vector<std::string> add_pages(Site& site, const std::vector<report::CrossRow>& rows, const Crossval& campaign) {
  const CrossvalJudge& judge = campaign.judge();
  std::vector<std::string> links;
  for (const report::CrossRow& row : rows) {
    SiteTest test{.page = report::page_of(row),
                  .program = campaign.corpus()[row.number].program,
                  .timeline = judge.timeline(row),
                  .timeline_title = "A recorded run in which a detector reports a race."};
    test.page.source = test.program->source;
    std::vector<std::optional<bool>> races;
    for (const report::CrossModel& model : row.models) races.push_back(model.race);
    test.rules =
        model_to_explain(judge.models(), races, row.label.empty() ? std::nullopt : std::optional(row.label == "race"));
    explain_forbidden(row, judge, test);
    links.push_back(site.add(std::move(test)));
  }
  return links;
}

}  // namespace ambit::api
