#include "model/smt/update_chains.h"

#include <algorithm>

namespace ambit::smt {

using events::Event;
using events::EventId;

namespace {

/// Fewer updates than this are enumerated by the solver in no time.
constexpr std::size_t kFewestUpdates = 4;

}  // namespace

void UpdateChains::add() {
  for (LocationId l = 0; l < candidates_.writes.size(); ++l) {
    if (const auto by_rank = values_by_rank(l)) add_ranks(l, *by_rank);
  }
}

std::optional<std::vector<std::vector<Value>>> UpdateChains::values_by_rank(LocationId location) const {
  const std::vector<EventId>& writes = candidates_.writes[location];
  std::size_t updates = 0;
  for (const EventId w : writes) {
    const Event& write = graph_.events[w];
    if (!write.is_unconditional() || write.locations.size() != 1 || !values_.is_needed(write.value)) {
      return std::nullopt;
    }
    if (write.is_rmw) ++updates;
  }
  if (updates < kFewestUpdates) return std::nullopt;
  std::vector<std::vector<Value>> result = {{graph_.program->locations[location].initial}};
  for (std::size_t rank = 1; rank < writes.size(); ++rank) {
    std::vector<Value> next;
    for (const EventId w : writes) {
      if (graph_.events[w].kind == events::EventKind::InitialWrite) continue;
      const auto written = written_after(w, result.back());
      if (!written) return std::nullopt;
      next.insert(next.end(), written->begin(), written->end());
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    result.push_back(std::move(next));
  }
  return result;
}

std::optional<std::vector<Value>> UpdateChains::written_after(EventId write, const std::vector<Value>& before) const {
  const Event& event = graph_.events[write];
  events::EventSet reads(graph_.size());
  graph_.values.collect_reads(event.value, reads);
  if (event.is_rmw && event.rmw_partner != events::kNoEvent) reads.erase(event.rmw_partner);
  if (!reads.empty()) return std::nullopt;
  std::vector<Value> result;
  std::vector<Value> read_values(graph_.size(), 0);
  std::vector<Value> nodes;
  for (const Value v : before) {
    if (event.is_rmw) read_values[event.rmw_partner] = v;
    events::evaluate(graph_.values, read_values, nodes);
    result.push_back(nodes[event.value]);
    if (!event.is_rmw) break;
  }
  return result;
}

/// The update reads from the write just before it in coherence order.
Lit UpdateChains::follows_its_source(LocationId location, EventId write) {
  const EventId read = graph_.events[write].rmw_partner;
  std::vector<Lit> all;
  for (const EventId source : candidates_.sources[read]) {
    std::vector<Lit> parts = {choices_.older(source, write)};
    for (const EventId between : candidates_.writes[location]) {
      if (between == source || between == write) continue;
      parts.push_back(-literals_.all_of({choices_.older(source, between), choices_.older(between, write)}));
    }
    all.push_back(literals_.any_of({-choices_.reads_from(source, read), literals_.all_of(parts)}));
  }
  return literals_.all_of(all);
}

void UpdateChains::add_ranks(LocationId location, const std::vector<std::vector<Value>>& by_rank) {
  std::vector<EventId> writes = candidates_.writes[location];
  std::erase_if(writes, [&](EventId w) { return graph_.events[w].kind == events::EventKind::InitialWrite; });
  const std::size_t count = writes.size();
  std::vector<Lit> proviso;
  for (const EventId w : writes) {
    if (graph_.events[w].is_rmw) proviso.push_back(follows_its_source(location, w));
  }
  lemmas_.insert(lemmas_.end(), proviso.begin(), proviso.end());
  const Lit is_chain = literals_.all_of(proviso);
  // at_least[w][k]: the rank of w, counted from 1, is at least k.
  std::vector<std::vector<Lit>> at_least(count);
  for (auto& ranks : at_least) {
    ranks = {kTrue, kTrue};
    for (std::size_t k = 2; k <= count; ++k) ranks.push_back(literals_.fresh());
    ranks.push_back(kFalse);
    for (std::size_t k = 2; k < count; ++k) literals_.require({-ranks[k + 1], ranks[k]});
  }
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b) continue;
      const Lit older = choices_.older(writes[a], writes[b]);
      for (std::size_t k = 1; k <= count; ++k) literals_.require({-older, -at_least[a][k], at_least[b][k + 1]});
    }
  }
  for (std::size_t k = 1; k <= count; ++k) {
    std::vector<Lit> somebody;
    for (std::size_t w = 0; w < count; ++w) {
      const Lit here = literals_.all_of({at_least[w][k], -at_least[w][k + 1]});
      somebody.push_back(here);
      std::vector<Lit> clause = {-here, -is_chain};
      for (const Value v : by_rank[k]) clause.push_back(values_.equals(graph_.events[writes[w]].value, v));
      literals_.require(clause);
    }
    literals_.require(somebody);
  }
}

}  // namespace ambit::smt
