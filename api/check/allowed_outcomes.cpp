#include "api/check/allowed_outcomes.h"

#include <chrono>

namespace ambit::api {
namespace {

constexpr std::chrono::seconds kTimeout{60};

}  // namespace

std::string AllowedOutcomes::load(const std::vector<std::string>& models) {
  const auto loaded = store_.load_all(models);
  if (!loaded.ok()) return render(loaded.errors());
  models_ = loaded.value();
  return {};
}

Result<verdict::Verdict> AllowedOutcomes::check(const std::shared_ptr<const Program>& program,
                                                const parser::RulesPtr& rules, bool flags) {
  verdict::CheckOptions options;
  options.questions = {.proposition = false, .flags = flags, .incidents = false, .outcomes = true};
  Context context;
  context.set_timeout(kTimeout);
  context.set_cancellation(&interrupted_);
  return checker_.check(program, rules, options, context);
}

std::string AllowedOutcomes::add_to(report::RunResult& result) {
  for (const parser::RulesPtr& rules : models_) {
    const auto verdict = check(result.program, rules);
    if (!verdict.ok()) return render(verdict.errors());
    result.models.push_back({.model = verdict::model_name(*rules),
                             .outcomes = verdict.value().answers.outcomes,
                             .is_complete = !verdict.value().unknown});
  }
  return {};
}

}  // namespace ambit::api
