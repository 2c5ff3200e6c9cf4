#include "report/results/run_result.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::report {

bool is_forbidden(const AllowedOutcomes& model, const std::vector<Value>& outcome) {
  return model.is_complete && !std::binary_search(model.outcomes.begin(), model.outcomes.end(), outcome);
}

bool has_forbidden(const RunResult& result) {
  return std::any_of(result.models.begin(), result.models.end(), [&](const AllowedOutcomes& model) {
    return std::any_of(result.histogram.outcomes.begin(), result.histogram.outcomes.end(),
                       [&](const auto& seen) { return is_forbidden(model, seen.first); });
  });
}

std::vector<std::string> why_open(const RunResult& result) {
  std::vector<std::string> reasons;
  if (!result.was_run) reasons.emplace_back("interrupted: the test did not run");
  if (result.is_interrupted) reasons.emplace_back("interrupted: these are the results so far");
  if (!result.why_incomplete.empty()) {
    reasons.push_back(fmt::format("there may be more outcomes: {}", result.why_incomplete));
  }
  for (const AllowedOutcomes& model : result.models) {
    if (model.is_complete) continue;
    reasons.push_back(fmt::format("{} may allow more outcomes than the {} found", model.model, model.outcomes.size()));
  }
  for (const Detections& found : result.detections) {
    if (!found.not_run.empty()) reasons.push_back(fmt::format("{} did not run: {}", found.detector, found.not_run));
  }
  return reasons;
}

}  // namespace ambit::report
