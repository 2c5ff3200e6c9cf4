#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/json/detections_json.h"
#include "report/json/json.h"
#include "report/json/outcome_json.h"
#include "report/json/remarks_json.h"
#include "report/results/condition_source.h"
#include "report/results/rate.h"
#include "report/results/run_result.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

Json model_answer(const AllowedOutcomes& model, const std::vector<Value>& outcome) {
  if (is_forbidden(model, outcome)) return false;
  const bool is_known = std::binary_search(model.outcomes.begin(), model.outcomes.end(), outcome);
  return is_known ? Json(true) : Json(nullptr);
}

Json outcomes_json(const RunResult& result) {
  Json list = Json::array();
  const auto& proposition = result.program->condition.proposition;
  for (const auto& [outcome, count] : result.histogram.outcomes) {
    Json one = {{"outcome", outcome_json(*result.program, outcome)}};
    one["runs"] = result.is_search ? Json(nullptr) : Json(count);
    one["condition"] = proposition ? Json(evaluate(*proposition, outcome) != 0) : Json(nullptr);
    Json allowed = Json::object();
    for (const AllowedOutcomes& model : result.models) allowed[model.model] = model_answer(model, outcome);
    if (!result.models.empty()) one["allowed"] = std::move(allowed);
    list.push_back(std::move(one));
  }
  return list;
}

/// Returns the share of runs in which the condition's proposition held, and its confidence interval. Ignores runs
/// without an outcome.
Json rate_json(const Condition& condition, const Histogram& histogram) {
  std::uint64_t holding = 0;
  for (const auto& [outcome, count] : histogram.outcomes) {
    if (evaluate(*condition.proposition, outcome) != 0) holding += count;
  }
  const Rate rate = wilson_rate(holding, histogram.complete());
  return {{"share", rate.share}, {"low", rate.low}, {"high", rate.high}, {"confidence", 0.95}, {"interval", "wilson"}};
}

}  // namespace

std::string histogram_json(const RunResult& result) {
  Json json = {{"file", result.file}, {"name", result.name()}, {"run", result.was_run}};
  if (!result.error.empty()) json["error"] = result.error;
  if (!result.trouble.empty()) json["trouble"] = result.trouble;
  if (result.program && !result.program->remarks.empty()) json["test_remarks"] = remarks_json(result.program->remarks);
  if (result.was_run && result.program && result.error.empty()) {
    for (const auto& setting : result.settings) {
      std::visit([&](const auto& value) { json[setting.first] = value; }, setting.second);
    }
    json["exhaustive"] = result.is_exhaustive;
    json["incomplete"] = result.why_incomplete.empty() ? Json(nullptr) : Json(result.why_incomplete);
    json["interrupted"] = result.is_interrupted;
    const Condition& condition = result.program->condition;
    json["condition"] =
        condition.quantifier == Quantifier::None ? Json(nullptr) : Json(condition_source(*result.program));
    json["outcomes"] = outcomes_json(result);
    const Histogram& histogram = result.histogram;
    if (!result.is_search && condition.proposition && histogram.complete() > 1) {
      json["condition_rate"] = rate_json(condition, histogram);
    }
    const auto count = [&](std::uint64_t runs) { return result.is_search ? Json(runs > 0) : Json(runs); };
    json["deadlocks"] = count(histogram.deadlocks);
    json["bound_hits"] = count(histogram.bound_hits);
    json["dropped"] = count(histogram.dropped);
    json["assertion_failures"] = count(histogram.assertion_failures);
    json["out_of_bounds"] = count(histogram.out_of_bounds);
    for (const Detections& found : result.detections) json["detections"].push_back(detections_json(found));
    if (!result.remarks.empty()) json["remarks"] = result.remarks;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ambit::report
