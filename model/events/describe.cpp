#include <fmt/format.h>

#include "core/ptx_mapping.h"
#include "model/events/event_graph.h"

namespace ambit::events {
namespace {

std::string tags(const Event& event) {
  std::string text;
  if (event.is_volatile) {
    text = ".volatile";
  } else if (event.has_scope) {
    text = fmt::format(".{}.{}", ptx_order(event.order), ptx_scope(event.scope));
  }
  if (event.proxy != Proxy::Generic) text += fmt::format(".{}", to_string(event.proxy));
  return text;
}

const AsyncStep& async_step(const EventGraph& graph, const Event& event) {
  return std::get<AsyncStep>(graph.program->threads[event.thread].code[event.instruction].operation);
}

/// Returns " by cp.async.bulk" for an event of an asynchronous operation.
std::string operation(const EventGraph& graph, const Event& event) {
  return event.is_async() ? " by " + async_step(graph, event).name : std::string();
}

/// Returns the name of the cell. For a dynamic address, returns the names of the objects into which it may point.
std::string cells(const EventGraph& graph, EventId e) {
  const Program& program = *graph.program;
  const Event& event = graph.events[e];
  if (event.locations.size() == 1) return graph.cell_name(e, event.locations.front());
  std::string names;
  std::optional<ObjectId> last;
  for (const LocationId l : event.locations) {
    const ObjectId object = program.locations[l].object;
    if (object == last) continue;
    last = object;
    if (!names.empty()) names += "|";
    names += program.objects[object].name;
    if (program.objects[object].is_array) names += "[?]";
  }
  return names;
}

/// Returns the text of an operand: ", 3" or ", r1".
std::string operand(const Thread& thread, const Expr& expr) {
  if (expr.is_constant()) return fmt::format(", {}", expr.constant);
  return ", " + (expr.op == Op::Register ? thread.registers[expr.reg].name : std::string("..."));
}

std::string describe_barrier(const Thread& thread, const Barrier& barrier) {
  std::string part;
  if (barrier.arrive_only) part += ".arrive";
  if (barrier.wait_only) part += ".wait";
  if (barrier.is_relaxed) part += ".relaxed";
  const std::string resource = barrier.resource ? operand(thread, *barrier.resource) : "";
  switch (barrier.kind) {
    case BarrierKind::Block: return fmt::format("bar{} {}{}", part, barrier.id, resource);
    case BarrierKind::Warp: return fmt::format("bar.warp{} {:#x}", part, barrier.mask);
    case BarrierKind::Cluster: return fmt::format("bar.cluster{}", part);
    case BarrierKind::Grid: return fmt::format("bar.grid{}", part);
  }
  return "bar";
}

}  // namespace

std::string_view to_string(Incident::Kind kind) {
  switch (kind) {
    case Incident::Kind::AssertionFailed: return "assertion failed";
    case Incident::Kind::OutOfBounds: return "out of bounds";
    case Incident::Kind::BarrierDivergence: return "barrier divergence";
    case Incident::Kind::Misuse: return "undefined";
  }
  return "?";
}

namespace {

/// Calls function(arrival) for the other threads' arrivals at the phase for which the thread waits.
template <typename Function>
void for_each_mate(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait, Function function) {
  for (const BarrierWait::Mate& mate : wait.mates) {
    if (nodes[mate.condition] != 0 && nodes[graph.events[mate.arrival].guard] != 0) function(mate.arrival);
  }
}

}  // namespace

bool has_arrived(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait, std::uint32_t thread) {
  bool found = false;
  for_each_mate(graph, nodes, wait, [&](EventId e) { found = found || graph.events[e].thread == thread; });
  return found;
}

std::string describe_wait(const EventGraph& graph, std::span<const Value> nodes, const BarrierWait& wait) {
  std::size_t arrivals = 1;
  for_each_mate(graph, nodes, wait, [&](EventId) { ++arrivals; });
  const std::string needed = wait.needed ? fmt::format(" of {}", *wait.needed) : "";
  return fmt::format("{} waits at {} (line {}) with {}{} arrival{}", graph.thread_name(wait.event), wait.barrier,
                     graph.events[wait.event].span.line, arrivals, needed, !wait.needed && arrivals == 1 ? "" : "s");
}

std::string EventGraph::thread_name(EventId e) const {
  const std::uint32_t thread = events[e].thread;
  return thread == kNoThread ? "init" : program->threads[thread].name;
}

std::string EventGraph::cell_name(EventId e, LocationId location) const {
  const std::string& name = program->locations[location].name;
  const Event& event = events[e];
  if (!values.is_constant(event.address)) return name;
  const std::optional<std::string> used = program->name_at(values[event.address].constant);
  return !used || *used == name ? name : fmt::format("{} as {}", name, *used);
}

std::string EventGraph::describe(EventId e) const {
  const Event& event = events[e];
  switch (event.kind) {
    case EventKind::InitialWrite: return fmt::format("init {}", cells(*this, e));
    case EventKind::Read: return fmt::format("R{} {}{}", tags(event), cells(*this, e), operation(*this, event));
    case EventKind::Write: return fmt::format("W{} {}{}", tags(event), cells(*this, e), operation(*this, event));
    case EventKind::Fence: return fmt::format("F{}{}", tags(event), event.is_shared_only ? ".sync_restrict" : "");
    case EventKind::ProxyFence:
      if (event.is_mbarrier_init_fence) return "fence.mbarrier_init";
      if (event.direction != ProxyFence::Direction::Both) {
        return fmt::format("fence.proxy.{}::generic.{}", to_string(event.proxy),
                           event.direction == ProxyFence::Direction::Release ? "release" : "acquire");
      }
      return fmt::format("fence.proxy.{}", event.is_alias_fence ? "alias" : to_string(event.proxy));
    case EventKind::Barrier: {
      const Thread& thread = program->threads[event.thread];
      return describe_barrier(thread, std::get<Barrier>(thread.code[event.instruction].operation));
    }
    case EventKind::Choice: return "choice";
    case EventKind::AsyncStep: return async_step(*this, event).name;
  }
  return "?";
}

}  // namespace ambit::events
