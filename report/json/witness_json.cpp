#include "report/json/witness_json.h"

#include <cstddef>
#include <vector>

#include "report/json/outcome_json.h"
#include "report/results/words.h"

namespace ambit::report {

using Json = nlohmann::ordered_json;
using events::EventId;

Json witness_json(const events::EventGraph& graph, const events::Execution& execution, const Program* only) {
  const std::size_t locations = only == nullptr ? execution.coherence.size() : only->locations.size();
  Json list = Json::array();
  execution.executed.for_each([&](EventId e) {
    const events::Event& event = graph.events[e];
    const bool is_extra_thread =
        only != nullptr && event.thread != events::kNoThread && event.thread >= only->threads.size();
    if (is_extra_thread || (event.is_access() && execution.locations[e] >= locations)) return;
    Json one = {{"id", e}, {"thread", event.thread == events::kNoThread ? Json(nullptr) : Json(graph.thread_name(e))}};
    one["event"] = event_text(graph, execution, e);
    one["line"] = event.span.line;
    if (event.is_access()) {
      one["kind"] = event.is_read() ? "read" : "write";
      one["location"] = graph.program->locations[execution.locations[e]].name;
      const LocationId location = execution.locations[e];
      const bool is_opaque = graph.program->objects[graph.program->locations[location].object].is_opaque;
      one["value"] = is_opaque ? Json(nullptr) : number_json(execution.values[e], event.type);
    }
    if (event.is_read()) one["reads_from"] = execution.reads_from[e];
    list.push_back(std::move(one));
  });
  Json coherence = Json::object();
  for (std::size_t i = 0; i < locations; ++i) {
    coherence[graph.program->locations[i].name] = execution.coherence[i];
  }
  Json json = {{"events", std::move(list)}, {"coherence", std::move(coherence)}};
  if (only != nullptr) return json;
  std::vector<Value> nodes;
  json["outcome"] = outcome_json(*graph.program, events::outcome_of(graph, execution, nodes));
  return json;
}

}  // namespace ambit::report
