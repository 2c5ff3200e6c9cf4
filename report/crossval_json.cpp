#include <nlohmann/json.hpp>

#include "report/crossval.h"
#include "report/detections_json.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

CrossRow row_of(const Json& json) {
  CrossRow row;
  json.at("number").get_to(row.number);
  json.at("file").get_to(row.file);
  json.at("test").get_to(row.test);
  json.at("label").get_to(row.label);
  json.at("device").get_to(row.device);
  json.at("seed").get_to(row.seed);
  json.at("error").get_to(row.error);
  json.at("runs").get_to(row.runs);
  for (const Json& one : json.at("histogram")) {
    CrossOutcome& outcome = row.histogram.emplace_back();
    one.at("outcome").get_to(outcome.outcome);
    one.at("runs").get_to(outcome.runs);
    one.at("allowed").get_to(outcome.allowed_by);
    one.at("forbidden").get_to(outcome.forbidden_by);
  }
  json.at("recorded").get_to(row.recorded);
  json.at("traces").get_to(row.traces);
  json.at("weak").get_to(row.weak);
  for (const Json& one : json.at("models")) {
    CrossModel model;
    one.at("model").get_to(model.model);
    if (!one.at("race").is_null()) model.race = one.at("race").get<bool>();
    one.at("allowed").get_to(model.allowed);
    one.at("complete").get_to(model.is_complete);
    row.models.push_back(std::move(model));
  }
  for (const Json& one : json.at("detectors")) {
    CrossDetector& detector = row.detectors.emplace_back();
    one.at("detector").get_to(detector.detector);
    one.at("racy").get_to(detector.racy);
    detector.without_verdict = one.value("without_verdict", std::uint64_t{0});
    detector.sentences = one.value("sentences", std::vector<std::string>{});
  }
  for (const Json& one : json.value("in_gpu", Json::array())) row.in_gpu.push_back(read_detections(one));
  if (json.contains("witness")) {
    json.at("witness").at("trace").get_to(row.witness);
    json.at("witness").at("detector").get_to(row.witness_detector);
  }
  row.count_outcomes();
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
  for (const Detections& found : row.in_gpu) json["in_gpu"].push_back(detections_json(found));
  if (!row.witness.empty()) json["witness"] = {{"detector", row.witness_detector}, {"trace", row.witness}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<CrossRow> read_crossval(std::string_view line) {
  try {
    return row_of(Json::parse(line));
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace ambit::report
