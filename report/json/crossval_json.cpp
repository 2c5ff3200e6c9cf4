#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "report/json/detections_json.h"
#include "report/json/json.h"
#include "report/results/crossval.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

/// An exception that is thrown if a line has the form of a result but invalid contents.
struct Unfit {
  std::string why;
};

void require(bool fits, const std::string& why) {
  if (!fits) throw Unfit{why};
}

/// Reads a count. The library's conversions are not used, because they accept -1, 1.7 and true as counts.
std::uint64_t count(const Json& json, const std::string& key) {
  const Json& value = json.at(key);
  require(value.is_number_unsigned(), fmt::format("'{}' is not a count", key));
  return value.get<std::uint64_t>();
}

/// Reads a count. If the count is 0, the JSON may omit it.
std::uint64_t count_or_0(const Json& json, const std::string& key) { return json.contains(key) ? count(json, key) : 0; }

/// Maximum number of runs in a result. The limit is so low that sums over many results do not overflow.
constexpr std::uint64_t kMostRuns = std::uint64_t{1} << 56U;

bool is_model(const CrossRow& row, const std::string& name) {
  return std::ranges::find(row.models, name, &CrossModel::model) != row.models.end();
}

void read_models(const Json& json, CrossRow& row) {
  for (const Json& one : json) {
    CrossModel model;
    one.at("model").get_to(model.model);
    require(!is_model(row, model.model), fmt::format("duplicate model {}", model.model));
    if (!one.at("race").is_null()) model.race = one.at("race").get<bool>();
    model.allowed = count(one, "allowed");
    one.at("complete").get_to(model.is_complete);
    row.models.push_back(std::move(model));
  }
}

void read_outcomes(const Json& json, CrossRow& row) {
  std::set<std::string> seen;
  std::uint64_t left = row.runs;
  const auto take = [&](std::uint64_t runs) {
    require(runs <= left, "more runs are counted than there were");
    left -= runs;
  };
  for (const Json& one : json) {
    CrossOutcome& outcome = row.histogram.emplace_back();
    one.at("outcome").get_to(outcome.outcome);
    outcome.runs = count(one, "runs");
    one.at("allowed").get_to(outcome.allowed_by);
    one.at("forbidden").get_to(outcome.forbidden_by);
    require(seen.insert(outcome.outcome).second, fmt::format("duplicate outcome {}", outcome.outcome));
    take(outcome.runs);
    for (const auto* list : {&outcome.allowed_by, &outcome.forbidden_by}) {
      for (const std::string& name : *list) {
        require(is_model(row, name), fmt::format("an outcome names {}, which is not one of the models", name));
      }
    }
    for (const std::string& name : outcome.allowed_by) {
      const bool is_both = std::ranges::find(outcome.forbidden_by, name) != outcome.forbidden_by.end();
      require(!is_both, fmt::format("{} both allows and forbids an outcome", name));
    }
  }
  for (const std::uint64_t runs : {row.incidents.deadlocks, row.incidents.bound_hits, row.incidents.dropped})
    take(runs);
}

void read_detectors(const Json& json, CrossRow& row) {
  for (const Json& one : json) {
    CrossDetector& detector = row.detectors.emplace_back();
    one.at("detector").get_to(detector.detector);
    detector.racy = count(one, "racy");
    detector.without_verdict = count_or_0(one, "without_verdict");
    detector.sentences = one.value("sentences", std::vector<std::string>{});
    require(detector.racy <= row.traces && detector.without_verdict <= row.traces - detector.racy,
            fmt::format("{} counts more traces than there are", detector.detector));
  }
}

CrossRow row_of(const Json& json) {
  CrossRow row;
  row.number = count(json, "number");
  json.at("file").get_to(row.file);
  json.at("test").get_to(row.test);
  json.at("label").get_to(row.label);
  require(row.label.empty() || row.label == "race" || row.label == "norace", "'label' is neither race nor norace");
  json.at("device").get_to(row.device);
  row.seed = count(json, "seed");
  row.part = count_or_0(json, "part");
  row.spent_milliseconds = count_or_0(json, "spent_ms");
  json.at("error").get_to(row.error);
  row.runs = count(json, "runs");
  row.recorded = count(json, "recorded");
  require(std::max(row.runs, row.recorded) <= kMostRuns, "too many runs for any GPU");
  row.traces = count(json, "traces");
  row.weak = count(json, "weak");
  row.incidents = {count_or_0(json, "deadlocks"),  count_or_0(json, "bound_hits"),
                   count_or_0(json, "dropped"),    count_or_0(json, "uncounted"),
                   count_or_0(json, "unrecorded"), json.value("notes", std::vector<std::string>{})};
  const std::uint64_t unseen = row.recorded - std::min(row.traces, row.recorded);
  require(row.traces <= row.recorded && row.weak <= unseen && row.incidents.unrecorded <= unseen - row.weak,
          "more recorded runs are counted than there were");
  // Logs of older versions lack this count. In such a log, a row with an error and without traces means that no
  // recorded run was replayed.
  if (!row.error.empty() && row.traces == 0) row.incidents.unrecorded = row.recorded - row.weak;
  read_models(json.at("models"), row);
  read_outcomes(json.at("histogram"), row);
  read_detectors(json.at("detectors"), row);
  for (const Json& one : json.value("in_gpu", Json::array())) row.in_gpu.push_back(read_detections(one));
  if (json.contains("witness")) {
    json.at("witness").at("trace").get_to(row.witness);
    json.at("witness").at("detector").get_to(row.witness_detector);
  }
  row.count_outcomes();
  require(count(json, "outcomes") == row.outcomes, "'outcomes' is not the number of outcomes");
  for (const CrossModel& model : row.models) {
    require(!model.is_complete || model.seen <= model.allowed,
            fmt::format("{} allows fewer outcomes than were seen", model.model));
    require(!model.is_complete || model.seen + model.forbidden.size() == row.outcomes,
            fmt::format("an outcome does not say whether {} allows it", model.model));
    require(model.is_complete || model.forbidden.empty(),
            fmt::format("{} forbids an outcome though its answer is not complete", model.model));
  }
  return row;
}

}  // namespace

std::string crossval_json(const CrossRow& row) {
  Json models = Json::array();
  for (const CrossModel& model : row.models) {
    models.push_back({{"model", model.model},
                      {"race", model.race ? Json(*model.race) : Json(nullptr)},
                      {"allowed", model.allowed},
                      {"complete", model.is_complete},
                      {"seen", model.seen},
                      {"forbidden", model.forbidden}});
  }
  Json detectors = Json::array();
  for (const CrossDetector& one : row.detectors) {
    Json& made = detectors.emplace_back(Json{{"detector", one.detector}, {"racy", one.racy}});
    if (one.without_verdict > 0) made["without_verdict"] = one.without_verdict;
    made["sentences"] = one.sentences;
  }
  Json histogram = Json::array();
  for (const CrossOutcome& one : row.histogram) {
    histogram.push_back(
        {{"outcome", one.outcome}, {"runs", one.runs}, {"allowed", one.allowed_by}, {"forbidden", one.forbidden_by}});
  }
  Json json = {{"number", row.number},     {"file", row.file},       {"test", row.test},         {"label", row.label},
               {"device", row.device},     {"seed", row.seed},       {"error", row.error},       {"runs", row.runs},
               {"outcomes", row.outcomes}, {"histogram", histogram}, {"recorded", row.recorded}, {"traces", row.traces},
               {"weak", row.weak},         {"models", models},       {"detectors", detectors}};
  if (!row.more_seeds.empty()) {
    json["seeds"] = row.more_seeds;
    json["seeds"].insert(json["seeds"].begin(), row.seed);
  }
  if (row.part > 0) json["part"] = row.part;
  if (row.spent_milliseconds > 0) json["spent_ms"] = row.spent_milliseconds;
  const CrossIncidents& met = row.incidents;
  const auto add = [&](const char* name, std::uint64_t number) {
    if (number > 0) json[name] = number;
  };
  add("deadlocks", met.deadlocks);
  add("bound_hits", met.bound_hits);
  add("dropped", met.dropped);
  add("uncounted", met.uncounted);
  add("unrecorded", met.unrecorded);
  if (!met.notes.empty()) json["notes"] = met.notes;
  for (const Detections& found : row.in_gpu) json["in_gpu"].push_back(detections_json(found));
  if (!row.witness.empty()) json["witness"] = {{"detector", row.witness_detector}, {"trace", row.witness}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<CrossRow> read_crossval(std::string_view line, std::string* why) {
  try {
    return row_of(Json::parse(line));
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const Unfit& unfit) {
    if (why != nullptr) *why = unfit.why;
    return std::nullopt;
  }
}

}  // namespace ambit::report
