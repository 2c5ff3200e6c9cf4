#include <ambit/detect.h>

#include "api/check/detection.h"
#include "api/detectors.h"
#include "api/source_lines.h"
#include "api/stoppable_reader.h"
#include "detector/algorithms/registry.h"
#include "library/internals.h"
#include "report/json/json.h"
#include "report/text/result_texts.h"
#include "trace/open_trace.h"

namespace AMBIT_NAMESPACE {
namespace {

api::DetectorSelection selection_of(const DetectOptions& options) {
  return {.names = options.detectors, .options = options.options};
}

DetectedAccess access_of(const RaceAccess& access, const TraceTables& tables) {
  return {.thread = access.thread == kNoName ? "" : tables.threads()[access.thread].name,
          .site = access.site == kNoName ? "" : tables.sites()[access.site],
          .is_write = access.is_write,
          .is_atomic = access.is_atomic};
}

Findings findings_of(const report::DetectionResult& result, const report::DetectorFindings& from) {
  Findings findings;
  findings.detector = from.detector;
  findings.race = !from.races.empty()                               ? Raciness::Race
                  : from.is_unknown() || !result.incomplete.empty() ? Raciness::Unknown
                                                                    : Raciness::NoRace;
  for (std::size_t i = 0; i < from.races.size(); ++i) {
    const RaceReport& race = from.races[i];
    findings.races.push_back({.location = race.location == kNoName ? "" : result.tables.locations()[race.location].name,
                              .kind = std::string(ambit::to_string(race.kind)),
                              .level = std::string(ambit::to_string(race.level)),
                              .first = access_of(race.first, result.tables),
                              .second = access_of(race.second, result.tables),
                              .runs = from.runs.empty() ? 0 : from.runs[i],
                              .sentence = race.sentence});
  }
  findings.racy_runs = from.racy_runs;
  findings.remarks = from.remarks;
  findings.not_judged = from.not_judged;
  return findings;
}

Raciness race_of(const report::DetectionResult& result, const DetectOptions& options) {
  switch (api::verdict_of(result, options.detectors != api::kAllDetectors)) {
    case api::RaceVerdict::None: return Raciness::NoRace;
    case api::RaceVerdict::Found: return Raciness::Race;
    case api::RaceVerdict::Unknown: return Raciness::Unknown;
  }
  return Raciness::Unknown;
}

DetectionResult result_of(const report::DetectionResult& from, const DetectOptions& options, api::SourceLines lines) {
  const auto line = [&](std::string_view site) { return lines.line(site); };
  DetectionResult result;
  result.source = from.source;
  result.race = race_of(from, options);
  for (const report::DetectorFindings& findings : from.detectors) {
    result.findings.push_back(findings_of(from, findings));
  }
  result.events = from.events;
  result.runs = from.runs;
  result.runs_are = from.runs_are;
  result.incomplete = from.incomplete;
  result.text = report::detection_text(from, line, {});
  result.json = report::json_document(AMBIT_VERSION, {report::detection_json(from, line)}, "results");
  return result;
}

}  // namespace

std::vector<Detector> detectors() {
  std::vector<Detector> all;
  for (const detector::DetectorDescription& from : detector::detectors()) {
    Detector& one = all.emplace_back(Detector{from.name, from.summary, from.source, {}});
    for (const detector::DetectorOption& option : from.options) {
      one.options.push_back({option.name, option.values, option.meaning});
    }
  }
  return all;
}

DetectionResult detect(const Test& test, const DetectOptions& options) {
  return guarded([&] {
    const ProgramPtr& program = Internals::program(test);
    const StopFlag stop(options.stop);
    const auto chosen = taken(api::chosen_detectors(selection_of(options)));
    api::SourceLines lines;
    lines.add(program->source);
    return result_of(
        taken(api::detect_in_runs(program, program->name, chosen, simulator_options(options.simulating), stop.flag())),
        options, std::move(lines));
  });
}

DetectionResult detect_trace(const std::string& file, const DetectOptions& options) {
  return guarded([&] {
    const auto chosen = taken(api::chosen_trace_detectors(selection_of(options)));
    const StopFlag stop(options.stop);
    const auto reader = taken(trace::open_trace(file, &stop.flag()));
    api::StoppableReader stoppable(*reader, stop.flag());
    report::DetectionResult result = taken(api::detect_in_trace(stoppable, file, chosen));
    if (stop.flag()) result.incomplete = "stopped before the end";
    return result_of(result, options, {});
  });
}

}  // namespace AMBIT_NAMESPACE
