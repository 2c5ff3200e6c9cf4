#include <fmt/format.h>

#include "model/events/event_graph.h"

namespace ambit::events {
namespace {

/// Scope as PTX spells it.
std::string_view ptx_name(Scope scope) {
  switch (scope) {
    case Scope::Thread: return "thread";
    case Scope::Block: return "cta";
    case Scope::Cluster: return "cluster";
    case Scope::Device: return "gpu";
    case Scope::System: return "sys";
  }
  return "?";
}

std::string_view ptx_name(Order order) { return order == Order::SeqCst ? "sc" : to_string(order); }

std::string tags(const Event& event) {
  if (event.is_volatile) return ".volatile";
  if (!event.has_scope) return "";
  return fmt::format(".{}.{}", ptx_name(event.order), ptx_name(event.scope));
}

/// The cell, or for a dynamic address the objects it may fall into.
std::string cells(const Program& program, const Event& event) {
  if (event.locations.size() == 1) return program.locations[event.locations.front()].name;
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

std::string describe_barrier(const Barrier& barrier) {
  const std::string_view arrive = barrier.arrive_only ? ".arrive" : "";
  switch (barrier.kind) {
    case BarrierKind::Block: return fmt::format("bar{} {}", arrive, barrier.id);
    case BarrierKind::Warp: return fmt::format("bar.warp{} {:#x}", arrive, barrier.mask);
    case BarrierKind::Cluster: return fmt::format("bar.cluster{}", arrive);
    case BarrierKind::Grid: return fmt::format("bar.grid{}", arrive);
  }
  return "bar";
}

}  // namespace

std::string EventGraph::thread_name(EventId e) const {
  const std::uint32_t thread = events[e].thread;
  return thread == kNoThread ? "init" : program->threads[thread].name;
}

std::string EventGraph::describe(EventId e) const {
  const Event& event = events[e];
  switch (event.kind) {
    case EventKind::InitialWrite: return fmt::format("init {}", cells(*program, event));
    case EventKind::Read: return fmt::format("R{} {}", tags(event), cells(*program, event));
    case EventKind::Write: return fmt::format("W{} {}", tags(event), cells(*program, event));
    case EventKind::Fence: return fmt::format("F{}", tags(event));
    case EventKind::Barrier: {
      const auto& operation = program->threads[event.thread].code[event.instruction].operation;
      return describe_barrier(std::get<Barrier>(operation));
    }
  }
  return "?";
}

}  // namespace ambit::events
