#include "model/smt/may_and_must.h"

#include <algorithm>

namespace ambit::smt {

using events::Event;
using events::EventId;
using events::Relation;

Candidates::Candidates(const events::EventGraph& graph)
    : reads_from{Relation(graph.size()), Relation(graph.size())},
      coherence{Relation(graph.size()), Relation(graph.size())},
      sources(graph.size()),
      writes(graph.program->locations.size()),
      is_atomic(graph.program->locations.size(), false),
      atomic_update(graph.size(), events::kNoEvent) {
  for (EventId w = 0; w < graph.size(); ++w) {
    if (!graph.events[w].is_write()) continue;
    for (const LocationId l : graph.events[w].locations) writes[l].push_back(w);
  }
  for (EventId r = 0; r < graph.size(); ++r) {
    const Event& read = graph.events[r];
    if (!read.is_read()) continue;
    for (const LocationId l : read.locations) {
      for (const EventId w : writes[l]) {
        if (w != read.rmw_partner) reads_from.may.insert(w, r);
      }
    }
  }
  for (const auto& here : writes) {
    for (const EventId a : here) {
      for (const EventId b : here) {
        if (a == b || graph.events[b].kind == events::EventKind::InitialWrite) continue;
        coherence.may.insert(a, b);
        const bool first = graph.events[a].kind == events::EventKind::InitialWrite;
        if (first && graph.events[b].locations.size() == 1) coherence.must.insert(a, b);
      }
    }
  }
  last = writes;
  find_sources();
}

void Candidates::put_before(EventId older, EventId younger) {
  if (coherence.must.contains(younger, older)) return;  // in this case, the two writes are never both executed
  coherence.must.insert(older, younger);
  coherence.may.erase(younger, older);
}

void Candidates::exclude_source(EventId write, EventId read) {
  reads_from.may.erase(write, read);
  reads_from.must.erase(write, read);
}

void Candidates::find_sources() {
  for (auto& writes_of_read : sources) writes_of_read.clear();
  reads_from.may.for_each([&](EventId w, EventId r) { sources[r].push_back(w); });
  for (EventId r = 0; r < sources.size(); ++r) {
    if (sources[r].size() == 1) reads_from.must.insert(sources[r].front(), r);
  }
}

void Candidates::make_atomic(const events::EventGraph& graph, LocationId location) {
  is_atomic[location] = true;
  for (const EventId write : writes[location]) {
    if (!graph.events[write].is_rmw) continue;
    atomic_update[write] = atomic_update[graph.events[write].rmw_partner] = write;
  }
}

/// Excludes impossible sources of an update: each write after the update's own write, and each write after which
/// another write certainly comes before the update's own write.
void Candidates::exclude_overtaken_sources() {
  if (std::ranges::find(is_atomic, true) == is_atomic.end()) return;
  const Relation older = events::inverse(coherence.must);
  for (EventId read = 0; read < sources.size(); ++read) {
    const EventId write = atomic_update[read];
    if (write == events::kNoEvent || write == read) continue;
    for (const EventId source : sources[read]) {
      const auto is_between = [&](std::size_t w) { return (coherence.must.row(source)[w] & older.row(write)[w]) != 0; };
      bool is_overtaken = coherence.must.contains(write, source);
      for (std::size_t w = 0; w < older.stride() && !is_overtaken; ++w) is_overtaken = is_between(w);
      if (is_overtaken) exclude_source(source, read);
    }
  }
  find_sources();
}

void Candidates::settle(const Relation& implied) {
  find_sources();
  exclude_overtaken_sources();
  for (auto& here : last) {
    const std::vector<EventId> before = here;
    std::erase_if(here, [&](EventId write) {
      return std::ranges::any_of(before, [&](EventId other) {
        return coherence.must.contains(write, other) && implied.contains(write, other);
      });
    });
  }
}

}  // namespace ambit::smt
