#include "api/study/validation_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/check/explanation.h"

namespace ambit::api {
namespace {

parser::RulesPtr rules_to_explain(const report::ValidationTest& test, const std::vector<parser::RulesPtr>& models) {
  std::vector<std::optional<bool>> races;
  for (const report::ValidationVerdict& verdict : test.verdicts) {
    const bool is_known = verdict.race != events::Possibility::Unknown;
    races.push_back(is_known ? std::optional(verdict.race == events::Possibility::Possible) : std::nullopt);
  }
  return model_to_explain(models, races, test.label);
}

}  // namespace

report::ValidationLinks add_pages(Site& site, const report::Validation& validation,
                                  const std::vector<parser::RulesPtr>& models) {
  report::ValidationLinks links;
  for (const report::ValidationTest& test : validation.tests) {
    links.tests.push_back(
        test.is_usable()
            ? site.add({.page = report::page_of(validation, test),
                        .program = test.program,
                        .rules = rules_to_explain(test, models),
                        .timeline = test.timeline,
                        .timeline_title = "The first run in which a detector reports a race and names its accesses."})
            : "");
  }
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    links.detectors.push_back(
        site.add("detector-" + validation.detectors[i], report::detector_page(validation, i, links.tests)));
  }
  return links;
}

std::string validation_index(const report::Validation& validation, const report::ValidationLinks& links,
                             std::vector<std::string> notes) {
  const auto not_run = std::ranges::count_if(validation.tests, [](const auto& test) { return !test.was_run; });
  if (not_run > 0) {
    notes.push_back(
        fmt::format("The run was interrupted: {} of {} tests were not run.", not_run, validation.tests.size()));
  }
  return report::index_page(validation, links, notes);
}

}  // namespace ambit::api
