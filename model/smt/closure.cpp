// Encodes transitive closures: whether b is reachable from a along certain and dynamic edges. A pair of a source and a
// node gets a literal only if a requested pair depends on it.

#include "model/smt/certainty.h"
#include "model/smt/encoder.h"

namespace ambit::smt {

using events::EventId;
using events::Relation;
using rules::TermId;

const Encoder::Closure& Encoder::closure(TermId term) {
  if (const auto known = closures_.find(term); known != closures_.end()) return known->second;
  const TermId argument = std::get<rules::TransitiveClosure>(rules_.terms[term]).argument;
  Relation reach = bounds_.of(term).must;
  Relation dynamic = bounds_.of(argument).may;
  dynamic -= reach;
  drop_lifted_pairs(graph_, rules_, bounds_, argument, reach, dynamic);
  Closure made;
  made.steps = make_step_graph(graph_, bounds_, std::move(reach), dynamic, events::EventSet(graph_.size()));
  made.edges = made.steps.certain;
  made.edges.insert(made.edges.end(), made.steps.dynamic.begin(), made.steps.dynamic.end());
  made.into.resize(graph_.size());
  std::vector<Edge> all;
  for (std::uint32_t i = 0; i < made.edges.size(); ++i) {
    made.into[made.edges[i].to].push_back(i);
    all.push_back({made.edges[i].from, made.edges[i].to, kTrue});
  }
  made.components = strong_components(graph_.size(), all);
  return closures_.emplace(term, std::move(made)).first->second;
}

Lit Encoder::certain_literal(const Closure& c, EventId a, EventId b) {
  std::vector<Lit> parts;
  if (c.steps.strict.contains(a)) parts.push_back(values_.executed(a));
  if (c.steps.strict.contains(b)) parts.push_back(values_.executed(b));
  return literals_.all_of(parts);
}

Lit Encoder::edge_literal(TermId term, const Closure& c, std::uint32_t edge, Use use) {
  const StepGraph::Pair& pair = c.edges[edge];
  if (edge < c.steps.certain.size()) return certain_literal(c, pair.from, pair.to);
  const TermId argument = std::get<rules::TransitiveClosure>(rules_.terms[term]).argument;
  return literal(argument, pair.from, pair.to, use);
}

/// Returns the literal of (rf | co | fr)+ = rf | co | fr | co ; rf | fr ; rf. The equation holds because coherence is
/// transitive and each read has one source (Alglave, Maranget, Tautschnig, "Herding cats", TOPLAS 2014, section 4.1).
Lit Encoder::communication(EventId a, EventId b) {
  std::vector<Lit> ways;
  if (graph_.events[b].is_write()) {
    ways = {memory_.coherence(a, b), memory_.from_reads(a, b)};
  } else {
    ways = {memory_.reads_from(a, b)};
    for (const EventId source : bounds_.candidates().sources[b]) {
      const Lit last = memory_.reads_from(source, b);
      if (last == kFalse || source == a) continue;
      const Lit first = graph_.events[a].is_write() ? memory_.coherence(a, source) : memory_.from_reads(a, source);
      ways.push_back(literals_.all_of({first, last}));
    }
  }
  return literals_.any_of(ways);
}

/// Returns an exact literal if it can be computed without reachability.
std::optional<Lit> Encoder::plain_closure_pair(TermId term, EventId a, EventId b) {
  const TermId argument = std::get<rules::TransitiveClosure>(rules_.terms[term]).argument;
  if (a == b) return {};
  if (is_communication(rules_, argument)) return communication(a, b);
  if (!axioms_hold_) return {};
  const auto [known, is_new] = parts_of_coherence_.try_emplace(term, false);
  if (is_new) known->second = is_part_of(rules_, bounds_, argument, BaseRelation::Coherence);
  if (known->second && holds_with(rules_, bounds_, argument, a, b, BaseRelation::Coherence)) {
    return memory_.coherence(a, b);
  }
  const auto [lifts, is_new_term] = lifts_.try_emplace(term);
  if (is_new_term) lifts->second = lifts_of(rules_, bounds_, argument);
  const auto part = lift_that_decides(graph_, rules_, bounds_, lifts->second, term, a, b);
  if (part && !recursive_[*part]) return literal(*part, a, b, Use::Absence);
  return {};
}

Lit Encoder::closure_pair(TermId term, EventId a, EventId b, Use use) {
  if (const std::optional<Lit> plain = plain_closure_pair(term, a, b)) return *plain;
  const Closure& c = closure(term);
  if (!c.steps.nodes.contains(a)) {
    // All paths from `a` begin with a certain edge to one of the first stops.
    std::vector<Lit> ways;
    for (const EventId first : first_after(c.steps, bounds_, a)) {
      if (first == b) continue;  // in this case, the pair is certain, and the caller has handled it
      if (!bounds_.of(term).may.contains(first, b)) continue;
      const Lit step = certain_literal(c, a, first);
      if (step == kFalse) continue;
      ways.push_back(literals_.all_of({step, literal(term, first, b, use)}));
    }
    // literal() adds the condition that both ends are executed. If a path goes through a first stop that is not
    // executed, it must continue along certain edges. Then the path also has another first stop.
    return literals_.all_of({values_.both_executed(a, b), literals_.any_of(ways)});
  }
  std::vector<Lit> ways;
  if (c.steps.nodes.contains(b)) {
    ways.push_back(a == b || !c.components.cyclic[c.components.of[b]] ? reached_now(term, a, b, use)
                                                                      : reached(term, a, b, use));
  } else {
    for (const EventId last : last_before(c.steps, bounds_, b)) {
      if (last != a && !bounds_.of(term).may.contains(a, last)) continue;
      ways.push_back(literals_.all_of({reached(term, a, last, use), certain_literal(c, last, b)}));
    }
  }
  return literals_.all_of({values_.both_executed(a, b), literals_.any_of(ways)});
}

/// Returns whether the node has only one incoming edge. In this case, the node is reachable iff the preceding node is.
/// Returns false if the incoming edges only form a ring.
bool Encoder::has_one_way_in(const Closure& c, const Relation& may, EventId source, EventId node) {
  const auto ways_into = [&](EventId at) {
    std::vector<EventId> ways;
    for (const std::uint32_t i : c.into[at]) {
      const EventId before = c.edges[i].from;
      if (before == source || may.contains(source, before)) ways.push_back(before);
    }
    return ways;
  };
  std::vector<EventId> ways = ways_into(node);
  if (ways.size() > 1) return false;
  for (std::size_t steps = 0; steps < graph_.size(); ++steps) {
    if (ways.size() != 1 || ways.front() == source) return true;
    if (!c.components.cyclic[c.components.of[ways.front()]]) return true;
    ways = ways_into(ways.front());
  }
  return false;
}

Lit Encoder::reached(TermId term, EventId source, EventId node, Use use) {
  if (source == node) return kTrue;
  const Relation& may = bounds_.of(term).may;
  if (!may.contains(source, node)) return kFalse;
  const Closure& c = closure(term);
  if (c.components.cyclic[c.components.of[node]] && !has_one_way_in(c, may, source, node)) {
    return atom(term, source, node, use);
  }
  LitMap& memo = head_ ? local_reached_ : reached_;
  const std::uint64_t k = key(term, source, node, use);
  if (const Lit known = memo.find(k)) return known;
  const Lit made = reached_now(term, source, node, use);
  memo.insert(k, made);
  return made;
}

Lit Encoder::reached_now(TermId term, EventId source, EventId node, Use use) {
  const Relation& may = bounds_.of(term).may;
  const Closure& c = closure(term);
  std::vector<Lit> ways;
  for (const std::uint32_t i : c.into[node]) {
    const EventId before = c.edges[i].from;
    if (before != source && !may.contains(source, before)) continue;
    const Lit edge = edge_literal(term, c, i, use);
    if (edge == kFalse) continue;
    const Lit way = literals_.all_of({edge, reached(term, source, before, use)});
    if (way != kFalse) ways.push_back(way);
  }
  return literals_.any_of(ways);
}

}  // namespace ambit::smt
