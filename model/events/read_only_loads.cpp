// Handles loads of read-only data (__ldg, ld.global.nc). PTX excludes these loads from the memory consistency model,
// like texture accesses (PTX ISA 8.1): a load may return an old value from a cache. If no thread writes the loaded
// cells, cache and memory have the same value, and the load is a weak load. Otherwise the load uses the texture proxy.
// A write then races with the load unless a proxy fence or a kernel boundary orders the write before the load.

#include <algorithm>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

bool is_read_only(const EventGraph& graph, const Event& event) {
  if (event.kind != EventKind::Read || event.thread == kNoThread || event.is_async()) return false;
  const MemoryAccess* access = access_of(graph.program->threads[event.thread].code[event.instruction].operation);
  return access != nullptr && access->is_read_only;
}

}  // namespace

void place_read_only_loads(Draft& draft) {
  EventGraph& graph = draft.graph;
  std::vector<bool> written;  // whether some thread writes each location
  for (Event& event : graph.events) {
    if (!is_read_only(graph, event)) continue;
    if (written.empty()) {
      written.assign(graph.program->locations.size(), false);
      for (const Event& other : graph.events) {
        if (other.kind != EventKind::Write || other.guard == ValueGraph::kFalse) continue;
        for (const LocationId location : other.locations) written[location] = true;
      }
    }
    const auto is_written = [&](LocationId location) { return written[location]; };
    if (std::ranges::any_of(event.locations, is_written)) event.proxy = Proxy::Texture;
  }
}

}  // namespace ambit::events
