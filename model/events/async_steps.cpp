// Converts asynchronous operations to events (PTX ISA 8.9.1.1). The issue is in program order, but the reads and writes
// of the operation are not. A data dependency relates an element's read to its write. The completion is a
// read-modify-write of the mbarrier.

#include <bit>

#include "model/events/thread_walker.h"

namespace ambit::events {
namespace {

/// Returns the phase of an mbarrier whose cell has the value `value`.
NodeId phase_of(ValueGraph& values, NodeId value, Value phase_size, ScalarType type) {
  if (phase_size == 1) return value;
  const auto size = static_cast<std::uint64_t>(phase_size);
  if (std::has_single_bit(size)) {
    return values.make(Op::ShiftRight, type, std::array{value, values.constant(std::countr_zero(size), type)});
  }
  return values.make(Op::Divide, type, std::array{value, values.constant(phase_size, type)});
}

}  // namespace

void ThreadWalker::note_phase(Event& event, const MemoryAccess& access, NodeId seen) {
  event.is_mbarrier = access.phase_size > 0;
  if (event.is_mbarrier) event.phase = phase_of(values(), seen, access.phase_size, access.type);
}

std::optional<EventId> ThreadWalker::emit_async(EventKind kind, const MemoryAccess& access, EventId issue,
                                                std::size_t at, const State& state) {
  std::optional<Event> event = make_access(kind, at, state, access);
  if (!event) return std::nullopt;
  event->issue = issue;
  if (kind == EventKind::Read) {
    event->value = values().read(static_cast<EventId>(draft_.graph.events.size()), access.type);
  }
  return emit(*std::move(event), state);
}

/// Emits an element of an asynchronous operation. If its read is out of bounds, its write is not executed.
void ThreadWalker::emit_element(const AsyncElement& element, EventId issue, std::size_t at, const State& state) {
  NodeId value = lower(element.value, state);
  State inside = state;
  if (element.source) {
    const std::optional<EventId> read = emit_async(EventKind::Read, *element.source, issue, at, state);
    if (!read) return;
    value = draft_.graph.events[*read].value;
    inside.guard = draft_.graph.events[*read].guard;
  }
  if (!element.target) return;
  std::optional<EventId> old;
  if (element.reduction) {
    old = emit_async(EventKind::Read, *element.target, issue, at, inside);
    if (!old) return;
  }
  const std::optional<EventId> write = emit_async(EventKind::Write, *element.target, issue, at, inside);
  if (!write) return;
  std::vector<Event>& events = draft_.graph.events;
  events[*write].value = values().cast(value, element.target->type);
  if (!old) return;
  events[*write].value =
      updated_value(values(), *element.reduction, element.target->type, events[*old].value, events[*write].value);
  for (const EventId half : {*old, *write}) {
    events[half].is_rmw = true;
    events[half].is_reduction = true;
    events[half].rmw_partner = half == *old ? *write : *old;
  }
}

void ThreadWalker::emit_completion(const AsyncStep& step, std::size_t number, EventId issue, std::size_t at,
                                   State state) {
  const Rmw& completion = step.completions[number];
  const std::optional<EventId> read = emit_async(EventKind::Read, completion.access, issue, at, state);
  if (!read) return;
  std::vector<Event>& events = draft_.graph.events;
  events[*read].is_rmw = true;
  events[*read].is_arrival = completion.is_arrival;
  note_phase(events[*read], completion.access, events[*read].value);
  set_register(state, *completion.target, events[*read].value);
  for (const AsyncStep::Rule& rule : step.rules) {
    if (rule.completion == number) execute(rule.rule, at, state);
  }
  const NodeId updated = values().cast(lower(completion.operand, state), completion.access.type);
  Event write = events[*read];
  write.kind = EventKind::Write;
  write.value = updated;
  write.rmw_partner = *read;
  events[*read].rmw_partner = emit(std::move(write), state);
}

void ThreadWalker::execute(const AsyncStep& step, std::size_t at, State& state) {
  const EventId id = emit(make_event(EventKind::AsyncStep, at, state), state);
  for (const AsyncElement& element : step.elements) emit_element(element, id, at, state);
  for (std::size_t i = 0; i < step.completions.size(); ++i) emit_completion(step, i, id, at, state);
}

}  // namespace ambit::events
