#include <utility>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

void add_initial_writes(Draft& draft) {
  EventGraph& graph = draft.graph;
  const Program& program = draft.program();
  for (LocationId l = 0; l < program.locations.size(); ++l) {
    const Location& location = program.locations[l];
    Event event;
    event.kind = EventKind::InitialWrite;
    event.type = location.type;
    event.address = graph.values.constant(make_address(location.object, location.index), kLongLong);
    event.cell = event.address;
    event.value = graph.values.constant(location.initial, location.type);
    event.locations = {l};
    event.span = program.objects[location.object].span;
    graph.events.push_back(std::move(event));
    draft.notes.emplace_back();
  }
}

Diagnostic too_much_memory(const Program& program) {
  const SourceSpan span = program.objects.empty() ? SourceSpan{} : program.objects.back().span;
  return {program.source, span, "the program has more memory cells than events are allowed", "shorter arrays"};
}

}  // namespace

Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options) {
  if (program->locations.size() > kMaxEvents) return too_much_memory(*program);
  Draft draft(std::move(program), options);
  draft.graph.observables.assign(draft.program().observables.size(), ValueGraph::kFalse);
  draft.graph.events.reserve(draft.program().locations.size() + 16);
  add_initial_writes(draft);
  for (std::uint32_t t = 0; t < draft.program().threads.size(); ++t) {
    draft.first_event.push_back(static_cast<EventId>(draft.graph.events.size()));
    if (auto error = add_thread(draft, t)) return *std::move(error);
  }
  draft.first_event.push_back(static_cast<EventId>(draft.graph.events.size()));
  drop_impossible_events(draft);
  if (auto error = settle_barriers(draft)) return *std::move(error);
  fill_sets(draft);
  fill_relations(draft);
  fill_dependencies(draft);
  fill_barriers(draft);
  fill_locks(draft);
  drop_unused_values(draft);
  return std::move(draft.graph);
}

}  // namespace ambit::events
