#include "model/smt/update_chains.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "model/events/update_values.h"

namespace ambit::smt {

using events::Event;
using events::EventId;

namespace {

/// With fewer updates, the solver is fast without ranks.
constexpr std::size_t kFewestUpdates = 4;

class ChainFinder {
 public:
  ChainFinder(const events::EventGraph& graph, const Candidates& candidates, Context& context)
      : graph_(graph), candidates_(candidates), context_(context) {}

  /// Returns the chain of the cell, or nothing if the cell's writes do not form a chain.
  std::optional<UpdateChain> find(LocationId location) const {
    UpdateChain chain;
    chain.location = location;
    std::size_t updates = 0;
    for (const EventId w : candidates_.writes[location]) {
      const Event& write = graph_.events[w];
      if (!write.is_unconditional() || write.locations.size() != 1) return std::nullopt;
      if (write.is_rmw) ++updates;
      if (write.kind != events::EventKind::InitialWrite) chain.writes.push_back(w);
    }
    if (updates < kFewestUpdates) return std::nullopt;
    find_ranks(chain);
    if (!find_values(chain, graph_.program->locations[location].initial)) return std::nullopt;
    return chain;
  }

 private:
  void find_ranks(UpdateChain& chain) const {
    const events::Relation& order = candidates_.coherence.must;
    const std::size_t count = chain.writes.size();
    for (const EventId w : chain.writes) {
      const auto older = std::ranges::count_if(chain.writes, [&](EventId v) { return order.contains(v, w); });
      const auto younger = std::ranges::count_if(chain.writes, [&](EventId v) { return order.contains(w, v); });
      chain.lowest.push_back(1 + static_cast<std::size_t>(older));
      chain.highest.push_back(count - static_cast<std::size_t>(younger));
    }
  }

  bool find_values(UpdateChain& chain, Value initial) const {
    chain.by_rank = {{initial}};
    for (std::size_t rank = 1; rank <= chain.writes.size(); ++rank) {
      context_.poll(chain.writes.size());
      std::vector<Value> next;
      for (std::size_t i = 0; i < chain.writes.size(); ++i) {
        if (rank < chain.lowest[i] || rank > chain.highest[i]) continue;
        for (const Value before : chain.by_rank.back()) {
          const auto written = written_after(chain.writes[i], before);
          if (!written) return false;
          next.push_back(*written);
        }
      }
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      if (next.size() > kMaxDomain) return false;
      chain.by_rank.push_back(std::move(next));
    }
    return true;
  }

  std::optional<Value> written_after(EventId write, Value before) const {
    const Event& event = graph_.events[write];
    const EventId own = event.is_rmw ? event.rmw_partner : events::kNoEvent;
    std::unordered_map<events::NodeId, Value> known;
    const auto value_of_read = [&](EventId read) { return read == own ? std::optional(before) : std::nullopt; };
    return events::evaluate(graph_.values, event.value, value_of_read, known);
  }

  const events::EventGraph& graph_;
  const Candidates& candidates_;
  Context& context_;
};

}  // namespace

std::vector<UpdateChain> find_update_chains(const events::EventGraph& graph, const Candidates& candidates,
                                            Context& context) {
  const ChainFinder finder(graph, candidates, context);
  std::vector<UpdateChain> chains;
  for (LocationId l = 0; l < candidates.writes.size(); ++l) {
    if (std::optional<UpdateChain> chain = finder.find(l)) chains.push_back(*std::move(chain));
  }
  return chains;
}

KnownReads reads_of_chains(const events::EventGraph& graph, const Candidates& candidates,
                           const std::vector<UpdateChain>& chains, Context& context) {
  KnownReads known = events::values_of_updates(graph, context, kFewestUpdates);
  for (auto& [read, values] : known) {
    if (graph.events[read].is_unconditional() || std::ranges::binary_search(values, Value{0})) continue;
    values.insert(values.begin(), 0);  // a read that is not executed has the value 0
    std::ranges::sort(values);
  }
  for (const UpdateChain& chain : chains) {
    if (!candidates.is_atomic[chain.location]) continue;
    for (std::size_t i = 0; i < chain.writes.size(); ++i) {
      const Event& write = graph.events[chain.writes[i]];
      if (!write.is_rmw) continue;
      std::set<Value> values;
      for (std::size_t rank = chain.lowest[i]; rank <= chain.highest[i]; ++rank) {
        values.insert(chain.by_rank[rank - 1].begin(), chain.by_rank[rank - 1].end());
      }
      known[write.rmw_partner].assign(values.begin(), values.end());
    }
  }
  return known;
}

void UpdateChains::add() {
  for (LocationId l = 0; l < candidates_.is_atomic.size(); ++l) {
    if (candidates_.is_atomic[l]) require_atomic(l);
  }
  if (chains_.empty()) return;
  younger_first_ = events::inverse(candidates_.coherence.must);
  for (const UpdateChain& chain : chains_) {
    if (is_open(chain)) add_ranks(chain);
  }
}

/// Requires that the updates of the cell are atomic: each update reads from a write before its own write, and no two
/// updates read from the same write. All updates that do not read from an update have the same source. So the updates
/// form one chain, which equals coherence order.
void UpdateChains::require_atomic(LocationId location) {
  std::map<EventId, std::vector<Lit>> readers;
  for (const EventId write : candidates_.writes[location]) {
    if (candidates_.atomic_update[write] == events::kNoEvent) continue;
    const EventId read = graph_.events[write].rmw_partner;
    for (const EventId source : candidates_.sources[read]) {
      const Lit from = choices_.reads_from(source, read);
      literals_.require({-from, choices_.older(source, write)});
      readers[source].push_back(from);
    }
  }
  for (const auto& [source, choices] : readers) literals_.require_at_most_one(choices);
}

/// Returns whether the encoding needs values of the chain that are unknown.
bool UpdateChains::is_open(const UpdateChain& chain) const {
  const auto& writes = candidates_.writes[chain.location];
  return std::ranges::all_of(writes, [&](EventId w) { return values_.is_needed(graph_.events[w].value); }) &&
         std::ranges::any_of(writes, [&](EventId w) { return values_.domain(graph_.events[w].value).size() > 1; });
}

/// Returns whether the known order has no write between the two writes.
bool UpdateChains::is_next(EventId older, EventId younger) const {
  const events::Relation& order = candidates_.coherence.must;
  for (std::size_t w = 0; w < order.stride(); ++w) {
    if ((order.row(older)[w] & younger_first_.row(younger)[w]) != 0) return false;
  }
  return true;
}

/// Returns the literal for "the update reads from the write directly before it in coherence".
Lit UpdateChains::follows_its_source(const UpdateChain& chain, EventId write) {
  const events::Relation& order = candidates_.coherence.must;
  const EventId read = graph_.events[write].rmw_partner;
  std::vector<Lit> all;
  for (const EventId source : candidates_.sources[read]) {
    std::vector<Lit> parts = {choices_.older(source, write)};
    for (const EventId between : chain.writes) {
      if (between == source || between == write || order.contains(between, source)) continue;
      // If another write is certainly between the source and this write, this write need not be checked.
      if (order.contains(source, between) && !is_next(source, between)) continue;
      parts.push_back(-literals_.all_of({choices_.older(source, between), choices_.older(between, write)}));
    }
    all.push_back(literals_.any_of({-choices_.reads_from(source, read), literals_.all_of(parts)}));
  }
  return literals_.all_of(all);
}

void UpdateChains::add_ranks(const UpdateChain& chain) {
  std::vector<Lit> proviso;
  for (const EventId w : chain.writes) {
    if (candidates_.is_atomic[chain.location]) break;  // the cell is already marked as atomic
    if (graph_.events[w].is_rmw) proviso.push_back(follows_its_source(chain, w));
  }
  lemmas_.insert(lemmas_.end(), proviso.begin(), proviso.end());
  const std::size_t count = chain.writes.size();
  // at_least[w][k] means that the rank of w, counted from 1, is at least k.
  std::vector<std::vector<Lit>> at_least(count);
  for (std::size_t w = 0; w < count; ++w) {
    for (std::size_t k = 0; k <= count + 1; ++k) {
      const bool is_open = k > chain.lowest[w] && k <= chain.highest[w];
      at_least[w].push_back(is_open ? literals_.fresh() : k <= chain.lowest[w] ? kTrue : kFalse);
    }
    for (std::size_t k = chain.lowest[w] + 1; k < chain.highest[w]; ++k) {
      literals_.require({-at_least[w][k + 1], at_least[w][k]});
    }
  }
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b) continue;
      const Lit older = choices_.older(chain.writes[a], chain.writes[b]);
      if (older == kFalse || (older == kTrue && !is_next(chain.writes[a], chain.writes[b]))) continue;
      // The clause for the highest rank of b implies the clauses for larger k.
      for (std::size_t k = chain.lowest[b]; k <= std::min(chain.highest[a], chain.highest[b]); ++k) {
        literals_.require({-older, -at_least[a][k], at_least[b][k + 1]});
      }
    }
  }
  add_values(chain, at_least, literals_.all_of(proviso));
}

void UpdateChains::add_values(const UpdateChain& chain, const std::vector<std::vector<Lit>>& at_least, Lit is_chain) {
  for (std::size_t k = 1; k <= chain.writes.size(); ++k) {
    std::vector<Lit> somebody;
    for (std::size_t w = 0; w < chain.writes.size(); ++w) {
      if (k < chain.lowest[w] || k > chain.highest[w]) continue;
      const Lit here = literals_.all_of({at_least[w][k], -at_least[w][k + 1]});
      somebody.push_back(here);
      std::vector<Lit> clause = {-here, -is_chain};
      for (const Value v : chain.by_rank[k]) {
        clause.push_back(values_.equals(graph_.events[chain.writes[w]].value, v));
      }
      literals_.require(clause);
    }
    literals_.require(somebody);
  }
}

}  // namespace ambit::smt
