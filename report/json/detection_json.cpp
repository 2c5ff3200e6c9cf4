#include "report/json/json.h"
#include "report/json/remarks_json.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

Json access_json(const RaceAccess& access, const TraceTables& tables, const SourceLine& source_line) {
  const std::string_view site =
      access.site == kNoName ? std::string_view{} : std::string_view(tables.sites()[access.site]);
  const std::string text = source_line(site);
  Json json;
  json["thread"] = access.thread == kNoName ? Json(nullptr) : Json(tables.threads()[access.thread].name);
  json["site"] = site.empty() ? Json(nullptr) : Json(site);
  json["text"] = text.empty() ? Json(nullptr) : Json(text);
  json["event"] = access.event == RaceAccess::kNoEvent ? Json(nullptr) : Json(access.event);
  json["write"] = access.is_write;
  json["atomic"] = access.is_atomic;
  return json;
}

Json findings_json(const DetectionResult& result, const DetectorFindings& findings, const SourceLine& source_line) {
  Json json = {{"detector", findings.detector}};
  json["not_judged"] = findings.not_judged.empty() ? Json(nullptr) : Json(findings.not_judged);
  if (!result.is_trace) json["racy_runs"] = findings.racy_runs;
  json["races"] = Json::array();
  for (std::size_t i = 0; i < findings.races.size(); ++i) {
    const RaceReport& race = findings.races[i];
    Json one;
    one["location"] = race.location == kNoName ? Json(nullptr) : Json(result.tables.locations()[race.location].name);
    one["locations"] = Json::array();
    if (race.location != kNoName) one["locations"].push_back(result.tables.locations()[race.location].name);
    for (const std::uint32_t more : race.more_locations) {
      one["locations"].push_back(result.tables.locations()[more].name);
    }
    one["has_unnamed_locations"] = race.has_unnamed_locations;
    one["kind"] = to_string(race.kind);
    one["level"] = to_string(race.level);
    one["first"] = access_json(race.first, result.tables, source_line);
    one["second"] = access_json(race.second, result.tables, source_line);
    one["sentence"] = race.sentence;
    one["count"] = race.count;
    if (!findings.runs.empty()) one["runs"] = findings.runs[i];
    if (race.witness) one["witness"] = *race.witness;
    json["races"].push_back(std::move(one));
  }
  json["remarks"] = findings.remarks;
  json["is_open"] = findings.is_open;
  return json;
}

Json result_json(const DetectionResult& result, const SourceLine& source_line) {
  Json json = {{"source", result.source}};
  if (!result.file.empty()) json["file"] = result.file;
  if (!result.remarks.empty()) json["remarks"] = remarks_json(result.remarks);
  if (result.is_trace) {
    json["events"] = result.events;
    if (!result.incomplete.empty()) json["incomplete"] = result.incomplete;
    json["open_sections"] = result.open_sections;
  } else {
    json["runs"] = result.runs;
    json["runs_are"] = result.runs_are;
    json["incomplete"] = result.incomplete.empty() ? Json(nullptr) : Json(result.incomplete);
  }
  json["detectors"] = Json::array();
  for (const DetectorFindings& findings : result.detectors) {
    json["detectors"].push_back(findings_json(result, findings, source_line));
  }
  return json;
}

}  // namespace

std::string detection_json(const DetectionResult& result, const SourceLine& source_line) {
  return result_json(result, source_line).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string failed_detection_json(const std::string& file, const std::string& error) {
  const Json json = {{"source", file}, {"file", file}, {"error", error}, {"detectors", Json::array()}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ambit::report
