#include <nlohmann/json.hpp>
#include <sstream>

#include "report/crossval.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

CrossRow row_of(const Json& json) {
  CrossRow row;
  json.at("file").get_to(row.file);
  json.at("test").get_to(row.test);
  json.at("label").get_to(row.label);
  json.at("device").get_to(row.device);
  json.at("error").get_to(row.error);
  json.at("runs").get_to(row.runs);
  json.at("outcomes").get_to(row.outcomes);
  json.at("recorded").get_to(row.recorded);
  json.at("traces").get_to(row.traces);
  json.at("weak").get_to(row.weak);
  for (const Json& one : json.at("models")) {
    CrossModel model;
    one.at("model").get_to(model.model);
    if (!one.at("race").is_null()) model.race = one.at("race").get<bool>();
    one.at("allowed").get_to(model.allowed);
    one.at("complete").get_to(model.is_complete);
    one.at("seen").get_to(model.seen);
    one.at("forbidden").get_to(model.forbidden);
    row.models.push_back(std::move(model));
  }
  for (const Json& one : json.at("detectors")) {
    row.detectors.push_back({one.at("detector").get<std::string>(), one.at("racy").get<std::uint64_t>()});
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
  for (const CrossDetector& one : row.detectors) detectors.push_back({{"detector", one.detector}, {"racy", one.racy}});
  const Json json = {{"file", row.file},     {"test", row.test}, {"label", row.label},       {"device", row.device},
                     {"error", row.error},   {"runs", row.runs}, {"outcomes", row.outcomes}, {"recorded", row.recorded},
                     {"traces", row.traces}, {"weak", row.weak}, {"models", models},         {"detectors", detectors}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<std::vector<CrossRow>> read_crossval(const SourceFilePtr& source) {
  std::vector<CrossRow> rows;
  const bool is_cut = !source->text.empty() && !source->text.ends_with('\n');
  std::istringstream lines(source->text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const bool is_last = lines.eof();
    try {
      rows.push_back(row_of(Json::parse(line)));
    } catch (const nlohmann::json::exception&) {
      if (is_last && is_cut) break;
      return Diagnostic{source,
                        {number, 1, 1},
                        "this line is no result of a campaign",
                        "each line is what ambit crossval wrote of one test"};
    }
  }
  return rows;
}

}  // namespace ambit::report
