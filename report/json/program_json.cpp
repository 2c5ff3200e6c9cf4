#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/json/json.h"
#include "report/json/json_text.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

Json site_json(const ProgramSite& site, const SourceLine& source_line) {
  Json json;
  json["site"] = site.text();
  json["text"] = text_or_null(source_line(site.text()));
  json["places"] = Json::array();
  for (const ProgramPlace& place : site.places) {
    json["places"].push_back({{"file", place.file},
                              {"line", place.line},
                              {"column", place.column},
                              {"function", text_or_null(place.function)}});
  }
  json["function"] = site.function;
  json["instruction"] = text_or_null(site.instruction);
  json["ptx_line"] = site.ptx_line;
  return json;
}

Json access_json(const ProgramAccess& access, const SourceLine& source_line) {
  Json json = site_json(access.site, source_line);
  json["thread"] = text_or_null(access.thread);
  json["write"] = access.is_write;
  json["atomic"] = access.is_atomic;
  return json;
}

Json race_json(const ProgramRace& race, const SourceLine& source_line) {
  Json json;
  json["detector"] = race.detector;
  json["kernel"] = race.kernel;
  json["launch"] = race.launch;
  json["kind"] = to_string(race.kind);
  json["class"] = to_string(race.race_class);
  json["level"] = to_string(race.level);
  json["memory"] = race.memory;
  json["first"] = access_json(race.first, source_line);
  json["second"] = access_json(race.second, source_line);
  json["why"] = text_or_null(race.why);
  json["remedy"] = text_or_null(race.remedy);
  json["remedy_is_tried"] = !race.needs_trial;
  json["count"] = race.count;
  json["runs"] = race.runs;
  json["seed"] = race.seed;
  return json;
}

Json finding_json(const ProgramFinding& finding, const SourceLine& source_line) {
  Json json;
  json["kind"] = finding.kind;
  json["kernel"] = finding.kernel;
  json["thread"] = text_or_null(finding.thread);
  json["message"] = text_or_null(finding.message);
  json["where"] = text_or_null(finding.where);
  json["count"] = finding.count;
  json["is_error"] = finding.is_error;
  json["place"] = site_json(finding.site, source_line);
  return json;
}

}  // namespace

std::string program_json(const ProgramReport& report, const ProgramRun& run, const SourceLine& source_line,
                         std::string_view version) {
  Json json;
  json["ambit"] = version;
  json["format"] = 1;
  json["program"] = run.program;
  json["detectors"] = run.detectors;
  json["runs"] = report.runs;
  json["runs_are"] = run.runs_are;
  json["not_tried"] = text_or_null(run.not_tried);
  json["launches"] = report.launches;
  json["warp_instructions"] = report.warp_instructions;
  json["seconds"] = report.kernel_seconds;
  json["status"] = run.status;
  json["signal"] = run.signal == 0 ? Json(nullptr) : Json(run.signal);
  json["timed_out"] = run.has_timed_out || std::ranges::any_of(report.findings, [](const ProgramFinding& finding) {
                        return finding.is_cut && finding.kind == "timeout";
                      });
  json["used_runtime"] = report.has_begun;
  json["is_complete"] = report.is_complete;
  json["suppressed"] = run.suppressed;
  json["races"] = Json::array();
  for (const ProgramRace& race : report.races) json["races"].push_back(race_json(race, source_line));
  json["findings"] = Json::array();
  for (const ProgramFinding& finding : report.findings) json["findings"].push_back(finding_json(finding, source_line));
  json["crashes"] = report.crashes;
  json["errors"] = report.errors;
  json["remarks"] = report.remarks;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ambit::report
