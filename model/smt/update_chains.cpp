#include "model/smt/update_chains.h"

#include <algorithm>
#include <array>
#include <span>

namespace ambit::smt {

using events::Event;
using events::EventId;

namespace {

/// Fewer updates than this are enumerated by the solver in no time.
constexpr std::size_t kFewestUpdates = 4;

}  // namespace

void UpdateChains::add() {
  for (LocationId l = 0; l < candidates_.writes.size(); ++l) {
    if (const std::optional<Chain> chain = chain_of(l)) add_ranks(*chain);
  }
}

std::optional<UpdateChains::Chain> UpdateChains::chain_of(LocationId location) const {
  Chain chain;
  chain.location = location;
  std::size_t updates = 0;
  bool is_open = false;
  for (const EventId w : candidates_.writes[location]) {
    const Event& write = graph_.events[w];
    if (!write.is_unconditional() || write.locations.size() != 1 || !values_.is_needed(write.value)) {
      return std::nullopt;
    }
    if (write.is_rmw) ++updates;
    is_open = is_open || values_.domain(write.value).size() > 1;
    if (write.kind != events::EventKind::InitialWrite) chain.writes.push_back(w);
  }
  if (updates < kFewestUpdates || !is_open) return std::nullopt;
  find_ranks(chain);
  if (!find_values(chain, graph_.program->locations[location].initial)) return std::nullopt;
  return chain;
}

void UpdateChains::find_ranks(Chain& chain) const {
  const events::Relation& order = candidates_.coherence.must;
  const std::size_t count = chain.writes.size();
  for (const EventId w : chain.writes) {
    const auto older = std::ranges::count_if(chain.writes, [&](EventId v) { return order.contains(v, w); });
    const auto younger = std::ranges::count_if(chain.writes, [&](EventId v) { return order.contains(w, v); });
    chain.lowest.push_back(1 + static_cast<std::size_t>(older));
    chain.highest.push_back(count - static_cast<std::size_t>(younger));
  }
}

bool UpdateChains::find_values(Chain& chain, Value initial) const {
  chain.by_rank = {{initial}};
  for (std::size_t rank = 1; rank <= chain.writes.size(); ++rank) {
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
    chain.by_rank.push_back(std::move(next));
  }
  return true;
}

std::optional<Value> UpdateChains::written_after(EventId write, Value before) const {
  const Event& event = graph_.events[write];
  const EventId own = event.is_rmw ? event.rmw_partner : events::kNoEvent;
  const auto evaluate = [&](const auto& self, events::NodeId id) -> std::optional<Value> {
    const events::ValueNode& node = graph_.values[id];
    if (node.op == Op::Const) return node.constant;
    if (node.op == Op::Register) return node.read == own ? std::optional(before) : std::nullopt;
    std::array<Value, 3> arguments{};
    for (std::size_t i = 0; i < arity(node.op); ++i) {
      const std::optional<Value> argument = self(self, node.arguments[i]);
      if (!argument) return std::nullopt;
      arguments[i] = *argument;
    }
    return apply(node.op, node.type, std::span<const Value>(arguments).first(arity(node.op)));
  };
  return evaluate(evaluate, event.value);
}

/// No write that is known to be older stands between the two.
bool UpdateChains::is_next(const Chain& chain, EventId older, EventId younger) const {
  const events::Relation& order = candidates_.coherence.must;
  return std::ranges::none_of(chain.writes, [&](EventId between) {
    return order.contains(older, between) && order.contains(between, younger);
  });
}

/// The update reads from the write just before it in coherence order.
Lit UpdateChains::follows_its_source(const Chain& chain, EventId write) {
  const events::Relation& order = candidates_.coherence.must;
  const EventId read = graph_.events[write].rmw_partner;
  std::vector<Lit> all;
  for (const EventId source : candidates_.sources[read]) {
    std::vector<Lit> parts = {choices_.older(source, write)};
    for (const EventId between : chain.writes) {
      if (between == source || between == write || order.contains(between, source)) continue;
      // Behind a write that is certainly younger than the source nothing else needs to be looked at.
      if (order.contains(source, between) && !is_next(chain, source, between)) continue;
      parts.push_back(-literals_.all_of({choices_.older(source, between), choices_.older(between, write)}));
    }
    all.push_back(literals_.any_of({-choices_.reads_from(source, read), literals_.all_of(parts)}));
  }
  return literals_.all_of(all);
}

void UpdateChains::add_ranks(const Chain& chain) {
  std::vector<Lit> proviso;
  for (const EventId w : chain.writes) {
    if (candidates_.is_atomic[chain.location]) break;  // known already
    if (graph_.events[w].is_rmw) proviso.push_back(follows_its_source(chain, w));
  }
  lemmas_.insert(lemmas_.end(), proviso.begin(), proviso.end());
  const std::size_t count = chain.writes.size();
  // at_least[w][k]: the rank of w, counted from 1, is at least k.
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
      if (older == kFalse || (older == kTrue && !is_next(chain, chain.writes[a], chain.writes[b]))) continue;
      for (std::size_t k = chain.lowest[b]; k <= chain.highest[a]; ++k) {
        literals_.require({-older, -at_least[a][k], at_least[b][k + 1]});
      }
    }
  }
  add_values(chain, at_least, literals_.all_of(proviso));
}

void UpdateChains::add_values(const Chain& chain, const std::vector<std::vector<Lit>>& at_least, Lit is_chain) {
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
