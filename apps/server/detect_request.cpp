#include "apps/server/detect_request.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/server/stepping.h"
#include "detector/detector.h"
#include "report/text/race_text.h"
#include "runner/sim/trace_maker.h"

namespace ambit::server {
namespace {

Trace trace_of(const SteppedRun& run) {
  std::vector<sim::StepEvent> events;
  for (const SteppedRun::Step& step : run.steps) {
    if (step.is_thread()) events.push_back(step.event);
  }
  const sim::TraceMaker traces(*run.program);
  Trace trace = traces.make(events, run.state);
  if (const auto why = traces.contradiction(trace)) throw BadRequest(why->message);
  return trace;
}

report::DetectionResult detect_in(const Trace& trace) {
  report::DetectionResult result;
  result.tables = trace.tables;
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  for (const detector::DetectorDescription& one : detector::detectors()) {
    report::DetectorFindings& findings = result.detectors.emplace_back();
    findings.detector = one.name;
    if (one.needs_program) {
      findings.not_judged = "it looks at whole programs, not at one schedule";
      continue;
    }
    auto made = detector::make_detector(one.name, {}, trace.tables);
    AMBIT_ASSERT(made.ok());
    detectors.push_back(std::move(made.value()));
  }
  MemoryTraceReader reader(trace);
  const auto replayed = detector::replay(reader, detectors);
  if (!replayed.ok()) throw BadRequest(render(replayed.errors()));
  result.events = replayed.value().events;
  result.open_sections = replayed.value().open_sections;
  auto next = detectors.begin();
  for (report::DetectorFindings& findings : result.detectors) {
    if (!findings.not_judged.empty()) continue;
    findings.races = (*next)->races();
    findings.remarks = (*next)->remarks();
    findings.is_open = (*next)->is_open();
    ++next;
  }
  return result;
}

/// The line of a site "NAME:LINE" or "NAME:LINE:COLUMN"; 0: there is none.
std::uint32_t line_of(const std::string& site, const std::string& name) {
  if (!site.starts_with(name + ":")) return 0;
  return static_cast<std::uint32_t>(std::strtoul(site.c_str() + name.size() + 1, nullptr, 10));
}

std::string source_line(const SteppedRun& run, const std::string& name, std::string_view site) {
  const std::string_view text = run.program->source->line(line_of(std::string(site), name));
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace

Json detect(const Request& request) {
  const SteppedRun run = stepped_run(request);
  const report::DetectionResult result = detect_in(trace_of(run));
  const auto text = [&](std::string_view site) { return source_line(run, request.name, site); };
  Json answer = std::move(Json::parse(report::detection_json({&result, 1}, text, ""))["results"][0]);
  answer.erase("source");
  answer["steps"] = Json::array();
  for (const SteppedRun::Step& step : run.steps) answer["steps"].push_back(run.engine->name(step.choice));
  const std::optional<std::string> stopped = why_stopped(run);
  answer["ended"] = run.has_ended();
  answer["stopped"] = stopped ? Json(*stopped) : Json(nullptr);
  answer["incidents"] = incidents_of(run);
  const std::vector<detector::DetectorDescription>& descriptions = detector::detectors();
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    Json& findings = answer["detectors"][i];
    findings["summary"] = descriptions[i].summary;
    for (Json& race : findings["races"]) {
      for (const char* side : {"first", "second"}) {
        const Json& site = race[side]["site"];
        race[side]["line"] = site.is_string() ? line_of(site.get<std::string>(), request.name) : 0U;
      }
    }
  }
  return answer;
}

}  // namespace ambit::server
