#include "apps/cli/crossval_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "api/explanation.h"
#include "apps/cli/site_writer.h"
#include "model/verdict/verdict.h"
#include "report/html/pages.h"

namespace ambit::cli {
namespace {

/// Where an outcome was seen that a model forbids, its page says why the model does.
void explain_forbidden(const report::CrossRow& row, const api::CrossvalJudge& judge, api::SiteTest& test) {
  for (const report::CrossOutcome& one : row.histogram) {
    const auto forbids = [&](const parser::RulesPtr& rules) {
      return std::ranges::find(one.forbidden_by, verdict::model_name(*rules)) != one.forbidden_by.end();
    };
    const auto model = std::ranges::find_if(judge.models(), forbids);
    if (model == judge.models().end()) continue;
    test.rules = *model;
    test.outcome = one.outcome;
    for (std::size_t at = 0; (at = test.outcome.find(", ", at)) != std::string::npos;) {
      test.outcome.replace(at, 2, " && ");
    }
    return;
  }
}

}  // namespace

bool write_crossval_site(const std::string& folder, const std::vector<report::CrossRow>& rows,
                         std::span<const report::CorpusTest> corpus, const api::CrossvalJudge& judge,
                         const std::atomic<bool>& interrupted) {
  api::Site site(folder, interrupted);
  std::vector<std::string> links;
  for (const report::CrossRow& row : rows) {
    api::SiteTest test{.page = report::page_of(row),
                       .program = corpus[row.number].program,
                       .timeline = judge.timeline(row),
                       .timeline_title = "A recorded run in which a detector sees a race."};
    test.page.source = test.program->source;
    std::vector<std::optional<bool>> races;
    for (const report::CrossModel& model : row.models) races.push_back(model.race);
    test.rules = api::model_to_explain(judge.models(), races,
                                       row.label.empty() ? std::nullopt : std::optional(row.label == "race"));
    explain_forbidden(row, judge, test);
    links.push_back(site.add(std::move(test)));
  }
  const auto mode = is_terminal(2) ? Progress::Mode::Live : Progress::Mode::Silent;
  return write_site(site, mode, [&](std::vector<std::string> notes) {
    if (interrupted) notes.push_back(fmt::format("The campaign is not finished: {} tests have a result.", rows.size()));
    return report::index_page(rows, links, notes);
  });
}

}  // namespace ambit::cli
