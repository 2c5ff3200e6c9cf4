#include "model/smt/memory_encoding.h"

#include <algorithm>

#include "model/smt/atomic_cells.h"

namespace ambit::smt {

using events::EventId;
using events::Relation;

Lit Memory::coherence(EventId a, EventId b) {
  if (!candidates_.coherence.may.contains(a, b)) return kFalse;
  return literals_.all_of(
      {choices_.older(a, b), values_.executed(a), values_.executed(b), values_.same_location(a, b)});
}

Lit Memory::from_reads(EventId read, EventId write) {
  std::vector<Lit> ways;
  for (const EventId w : candidates_.sources[read]) {
    const Lit way = literals_.all_of({reads_from(w, read), coherence(w, write)});
    if (way != kFalse) ways.push_back(way);
  }
  return literals_.any_of(ways);
}

void Memory::require_candidate() {
  for (EventId r = 0; r < graph_.size(); ++r) {
    if (graph_.events[r].is_read()) require_source(r);
    if (!graph_.is_choice(r)) continue;
    literals_.require(choices_.alternatives(r));
    literals_.require_at_most_one(choices_.alternatives(r));
  }
  require_grounded();
}

void Memory::require_source(EventId read) {
  const Lit runs = values_.executed(read);
  std::vector<Lit> all;
  for (const EventId w : candidates_.sources[read]) {
    const Lit from = reads_from(w, read);
    all.push_back(from);
    literals_.require({-from, runs});
    literals_.require({-from, values_.executed(w)});
    literals_.require({-from, values_.same_location(w, read)});
  }
  if (all.size() == 1 && all.front() == kTrue) return;
  if (all.size() != 2 || all[0] != -all[1]) literals_.require_at_most_one(all);
  all.push_back(-runs);
  literals_.require(all);
}

void Memory::require_grounded() {
  Relation fixed(graph_.size());
  std::vector<Edge> edges;
  for (const BaseRelation base :
       {BaseRelation::AddressDependency, BaseRelation::DataDependency, BaseRelation::ReadModifyWritePair}) {
    const events::ConditionalRelation& relation = graph_.relation(base);
    if (relation.always.stride() != 0) fixed |= relation.always;
    for (const auto& pair : relation.sometimes) {
      edges.push_back({pair.from, pair.to,
                       literals_.all_of({values_.truth(pair.condition), values_.both_executed(pair.from, pair.to)})});
    }
  }
  fixed.for_each([&](EventId a, EventId b) { edges.push_back({a, b, values_.both_executed(a, b)}); });
  const std::vector<Edge> dependencies = edges;
  candidates_.reads_from.may.for_each([&](EventId w, EventId r) { edges.push_back({w, r, reads_from(w, r)}); });
  std::erase_if(edges, [](const Edge& e) { return e.literal == kFalse; });
  // Reads-from leads from one update to the next update.
  drop_ordered_components(graph_, candidates_, edges, [&](LocationId location) {
    return std::ranges::all_of(dependencies, [&](const Edge& edge) {
      const EventId first = candidates_.atomic_update[edge.from];
      const EventId second = candidates_.atomic_update[edge.to];
      if (first == events::kNoEvent || second == events::kNoEvent) return true;
      if (graph_.events[first].locations.front() != location) return true;
      return first == second ? graph_.events[edge.from].is_read() : candidates_.coherence.must.contains(first, second);
    });
  });
  require_acyclic(literals_, graph_.size(), edges);
}

}  // namespace ambit::smt
