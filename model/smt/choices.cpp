#include "model/smt/choices.h"

#include <algorithm>

#include "base/assert.h"

namespace ambit::smt {

using events::EventId;

Lit TotalOrder::before(EventId a, EventId b) {
  AMBIT_ASSERT(a != b);
  if (pairs_.empty()) pairs_.assign(events_ * events_, 0);
  Lit& known = pairs_[a < b ? a * events_ + b : b * events_ + a];
  if (known == 0) {
    known = literals_->fresh();
    requested_.push_back({std::min(a, b), std::max(a, b), known});
  }
  return a < b ? known : -known;
}

void TotalOrder::finish() {
  std::vector<Edge> edges = constraints_;
  for (const Edge& e : requested_) {
    const Lit literal = literals_->simplified(e.literal);
    edges.push_back({e.from, e.to, literal});
    edges.push_back({e.to, e.from, -literal});
  }
  std::erase_if(edges, [](const Edge& e) { return e.literal == kFalse; });
  require_acyclic(*literals_, events_, edges);
}

std::vector<Edge> TotalOrder::chosen(const std::vector<bool>& values) const {
  std::vector<Edge> result;
  const auto holds = [&](Lit l) { return values[static_cast<std::size_t>(l < 0 ? -l : l)] == (l > 0); };
  for (const Edge& e : constraints_) {
    if (holds(e.literal)) result.push_back(e);
  }
  for (const Edge& e : requested_) {
    result.push_back(holds(e.literal) ? Edge{e.from, e.to, kTrue} : Edge{e.to, e.from, kTrue});
  }
  return result;
}

Choices::Choices(const events::EventGraph& graph, const Candidates& candidates, Literals& literals)
    : graph_(graph), candidates_(candidates), sources_(graph.size()), coherence_(literals, graph.size()) {
  for (EventId r = 0; r < graph.size(); ++r) {
    const events::Event& event = graph.events[r];
    const std::size_t count = graph.is_choice(r) ? event.alternatives : candidates.sources[r].size();
    // An unconditional read always has a source. So one candidate source needs no variable, and two candidate sources
    // need one variable.
    if (graph.events[r].is_unconditional() && count == 1) {
      sources_[r] = {kTrue};
    } else if (graph.events[r].is_unconditional() && count == 2) {
      const Lit first = literals.fresh();
      sources_[r] = {first, -first};
    } else {
      for (std::size_t i = 0; i < count; ++i) sources_[r].push_back(literals.fresh());
    }
  }
}

Lit Choices::reads_from(EventId write, EventId read) const {
  const auto& sources = candidates_.sources[read];
  const auto at = std::ranges::lower_bound(sources, write);
  if (at == sources.end() || *at != write) return kFalse;
  return sources_[read][static_cast<std::size_t>(at - sources.begin())];
}

Lit Choices::older(EventId a, EventId b) {
  const bool first_initial = graph_.events[a].kind == events::EventKind::InitialWrite;
  const bool second_initial = graph_.events[b].kind == events::EventKind::InitialWrite;
  if (first_initial || second_initial) return second_initial ? kFalse : kTrue;
  if (candidates_.coherence.must.contains(a, b)) return kTrue;
  if (candidates_.coherence.must.contains(b, a)) return kFalse;
  return coherence_.before(a, b);
}

}  // namespace ambit::smt
