#include "report/results/run_result.h"

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

bool is_open(const RunResult& result) {
  return !result.was_run || result.is_interrupted || !result.why_incomplete.empty() ||
         std::ranges::any_of(result.models, [](const AllowedOutcomes& model) { return !model.is_complete; }) ||
         std::ranges::any_of(result.detections, [](const Detections& found) { return !found.not_run.empty(); });
}

}  // namespace ambit::report
