#include <fmt/format.h>

#include <new>
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

Diagnostic too_much_memory(const Program& program, unsigned max_events) {
  const SourceSpan span = program.objects.empty() ? SourceSpan{} : program.objects.back().span;
  return {program.source, span,
          fmt::format("the program has {} memory cells, each of which has an event; the limit is {} events",
                      program.locations.size(), max_events),
          "shorter arrays, or a higher limit (--max-events)"};
}

void begin(Draft& draft) {
  draft.graph.observables.assign(draft.program().observables.size(), ValueGraph::kFalse);
  draft.graph.events.reserve(draft.program().locations.size() + 16);
  add_initial_writes(draft);
}

/// Adds the events of all threads.
std::optional<Diagnostic> add_threads(Draft& draft) {
  for (std::uint32_t t = 0; t < draft.program().threads.size(); ++t) {
    draft.first_event.push_back(static_cast<EventId>(draft.graph.events.size()));
    if (auto error = add_thread(draft, t)) return error;
  }
  draft.first_event.push_back(static_cast<EventId>(draft.graph.events.size()));
  drop_impossible_events(draft);
  if (auto error = settle_barriers(draft)) return error;
  if (draft.has_false_joint_wait) return std::nullopt;
  place_read_only_loads(draft);
  fill_sets(draft);
  fill_relations(draft);
  fill_dependencies(draft);
  fill_barriers(draft);
  fill_locks(draft);
  fill_asynchronous(draft);
  drop_unused_values(draft);
  return std::nullopt;
}

/// Returns a graph that contains only the program and its memory.
EventGraph unfinished(std::shared_ptr<const Program> program, const GraphOptions& options, Stopped why) {
  Context no_limits;
  Draft draft(std::move(program), options, no_limits);
  begin(draft);
  draft.first_event.assign(draft.program().threads.size() + 1, static_cast<EventId>(draft.graph.size()));
  fill_sets(draft);
  fill_relations(draft);
  draft.graph.values.set_context(nullptr);
  draft.graph.unfinished = std::move(why);
  return std::move(draft.graph);
}

Result<EventGraph> made(const std::shared_ptr<const Program>& program, const GraphOptions& options, Context& context,
                        bool takes_joint_waits) {
  Draft draft(program, options, context);
  draft.takes_joint_waits = takes_joint_waits;
  begin(draft);
  if (auto error = add_threads(draft)) return *std::move(error);
  if (draft.has_false_joint_wait) return made(program, options, context, false);
  draft.graph.values.set_context(nullptr);
  return std::move(draft.graph);
}

}  // namespace

Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options, Context& context) {
  if (program->locations.size() > options.max_events) return too_much_memory(*program, options.max_events);
  if (!options.mappings.transactions) {
    Diagnostics errors =
        transaction_objections(*program, "this model has", "the models sc-tm, hrf-indirect-tm and ptx-tm have");
    if (!errors.empty()) return errors;
  }
  try {
    return made(program, options, context, true);
  } catch (Stopped& why) {
    return unfinished(std::move(program), options, std::move(why));
  } catch (const std::bad_alloc&) {
    return unfinished(std::move(program), options, {UnknownReason::Memory});
  }
}

Result<EventGraph> build(std::shared_ptr<const Program> program, const GraphOptions& options) {
  Context no_limits;
  return build(std::move(program), options, no_limits);
}

}  // namespace ambit::events
