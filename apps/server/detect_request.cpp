#include "apps/server/requests.h"

#include <string>
#include <utility>
#include <vector>

#include "api/check/detection.h"
#include "api/source_lines.h"
#include "report/json/json.h"
#include "runner/sim/trace_maker.h"

namespace ambit::server {
namespace {

using api::SteppedRun;

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

/// Returns the line of a site in the request's text; 0 if the site is not in this text.
std::uint32_t line_of(std::string_view site, const std::string& name) {
  const auto at = api::source_site(site);
  return at && at->file == name ? at->line : 0;
}

}  // namespace

Json detect(const Request& request) {
  const SteppedRun run = stepped_run(request);
  const Trace trace = trace_of(run);
  MemoryTraceReader reader(trace);
  const auto chosen = api::chosen_detectors({});
  const auto result = api::detect_in_trace(reader, request.name, chosen.value());
  if (!result.ok()) throw BadRequest(render(result.errors()));
  const auto text = [&](std::string_view site) {
    return api::trimmed_line(*run.program->source, line_of(site, request.name));
  };
  Json answer = Json::parse(report::detection_json(result.value(), text));
  answer.erase("source");
  answer["steps"] = Json::array();
  for (const SteppedRun::Step& step : run.steps) answer["steps"].push_back(run.engine->name(step.choice));
  const std::optional<std::string> stopped = why_stopped(run);
  answer["ended"] = run.has_ended();
  answer["stopped"] = stopped ? Json(*stopped) : Json(nullptr);
  answer["incidents"] = incidents_of(run);
  for (std::size_t i = 0; i < chosen.value().size(); ++i) {
    Json& findings = answer["detectors"][i];
    findings["summary"] = chosen.value()[i].description->summary;
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
