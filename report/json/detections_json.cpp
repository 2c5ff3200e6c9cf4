#include "report/json/detections_json.h"

namespace ambit::report {

using Json = nlohmann::ordered_json;

namespace {

/// Reads a count. The library's conversions are not used, because they accept -1 and 1.7 as counts.
std::uint64_t count(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_unsigned()) throw Json::other_error::create(501, "this is not a count", &value);
  return value.get<std::uint64_t>();
}

}  // namespace

Json detections_json(const Detections& found) {
  if (!found.not_run.empty()) return {{"detector", found.detector}, {"not_run", found.not_run}};
  Json races = Json::array();
  for (const Detections::Race& race : found.races) {
    races.push_back({{"first", race.first}, {"second", race.second}, {"kind", race.kind}, {"runs", race.runs}});
  }
  return {{"detector", found.detector}, {"runs", found.runs},
          {"left_out", found.left_out}, {"without_verdict", found.without_verdict},
          {"racy", found.racy},         {"microseconds", static_cast<std::uint64_t>(found.seconds * 1e6)},
          {"races", std::move(races)},  {"uncounted", found.uncounted}};
}

Detections read_detections(const Json& json) {
  Detections found;
  json.at("detector").get_to(found.detector);
  found.not_run = json.value("not_run", "");
  if (!found.not_run.empty()) return found;
  found.runs = count(json, "runs");
  found.left_out = count(json, "left_out");
  found.without_verdict = count(json, "without_verdict");
  found.racy = count(json, "racy");
  found.seconds = static_cast<double>(count(json, "microseconds")) / 1e6;
  for (const Json& race : json.at("races")) {
    found.races.push_back({race.at("first").get<std::string>(), race.at("second").get<std::string>(),
                           race.at("kind").get<std::string>(), count(race, "runs")});
  }
  found.uncounted = count(json, "uncounted");
  const bool adds_up = found.left_out <= found.runs && found.without_verdict <= found.runs - found.left_out &&
                       found.racy <= found.judged();
  if (!adds_up) throw Json::other_error::create(501, "more runs are counted than there were", &json);
  return found;
}

}  // namespace ambit::report
