// Encodes axioms and flags: makes the clauses for the tests acyclic, irreflexive and empty.

#include "base/assert.h"
#include "model/smt/atomic_cells.h"
#include "model/smt/encoder.h"

namespace ambit::smt {

using events::EventId;
using events::EventSet;
using events::Relation;
using rules::TermId;
using rules::Test;

std::vector<StepGraph::Pair> Encoder::violations(Test test, TermId term) {
  std::vector<StepGraph::Pair> result;
  bounds_.of(term).may.for_each([&](EventId a, EventId b) {
    if (test == Test::Empty || a == b) result.push_back({a, b});
  });
  return result;
}

void Encoder::require(const rules::Axiom& axiom) {
  const auto* closure = std::get_if<rules::TransitiveClosure>(&rules_.terms[axiom.term]);
  if (!axiom.negated && axiom.test != Test::Empty && closure != nullptr) {
    require_acyclic_term(closure->argument);  // irreflexive r+, acyclic r+ and acyclic r are equivalent
    return;
  }
  if (axiom.test == Test::Acyclic) {
    AMBIT_ASSERT(!axiom.negated);
    require_acyclic_term(axiom.term);
    return;
  }
  if (const auto closed = closure_of_cycles(axiom)) {
    require_acyclic_term(*closed);
    return;
  }
  std::vector<Lit> ways;
  for (const auto& [a, b] : violations(axiom.test, axiom.term)) {
    if (axiom.negated) {
      ways.push_back(literal(axiom.term, a, b, Use::Presence));
    } else {
      literals_.require({-literal(axiom.term, a, b, Use::Absence)});
    }
  }
  if (axiom.negated) literals_.require(ways);
}

/// For an axiom irreflexive [S]; r+, returns r if every cycle of r passes through S.
std::optional<TermId> Encoder::closure_of_cycles(const rules::Axiom& axiom) {
  const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[axiom.term]);
  if (axiom.negated || axiom.test != Test::Irreflexive || sequence == nullptr) return std::nullopt;
  const auto* start = std::get_if<rules::SetIdentity>(&rules_.terms[sequence->left]);
  const auto* closure = std::get_if<rules::TransitiveClosure>(&rules_.terms[sequence->right]);
  if (start == nullptr || closure == nullptr) return std::nullopt;
  Relation rest = bounds_.of(closure->argument).may;
  const EventSet members = events::domain(bounds_.of(start->set).must);
  EventSet others(graph_.size());
  others.fill();
  others -= members;
  rest &= events::product(others, others);
  if (!events::is_acyclic(rest)) return std::nullopt;
  return closure->argument;
}

std::vector<Edge> Encoder::flag_pairs(const rules::Flag& flag) {
  std::vector<Edge> result;
  AMBIT_ASSERT(flag.test != Test::Acyclic);
  if (!flag.negated) return result;
  for (const auto& [a, b] : violations(flag.test, flag.term)) {
    const Lit l = literal(flag.term, a, b, Use::Presence);
    if (l != kFalse) result.push_back({a, b, l});
  }
  return result;
}

Lit Encoder::raised(const rules::Flag& flag) {
  std::vector<Lit> parts;
  if (flag.negated) {
    for (const Edge& pair : flag_pairs(flag)) parts.push_back(pair.literal);
    return literals_.any_of(parts);
  }
  for (const auto& [a, b] : violations(flag.test, flag.term)) {
    parts.push_back(-literal(flag.term, a, b, Use::Absence));
  }
  return literals_.all_of(parts);
}

void Encoder::require_acyclic_term(TermId term) {
  std::vector<TermId> rest;
  std::uint32_t order = 0;
  if (order_constrains(term, rest, order)) {
    require_in_order(order, rest);
    return;
  }
  const Bound& bound = bounds_.of(term);
  const Relation reach = bounds_.close_must(bound.must);
  const Relation back = events::inverse(events::transitive_closure(bound.may));
  Relation dynamic = bound.may;
  dynamic &= back;  // keep only pairs on a cycle
  dynamic -= reach;
  drop_lifted_pairs(graph_, rules_, bounds_, term, reach, dynamic);
  EventSet circular(graph_.size());
  std::vector<Edge> edges;
  reach.for_each([&](EventId a, EventId b) {
    if (a == b) literals_.require({-values_.executed(a)});
    if (a < b && reach.contains(b, a)) {
      literals_.require({-values_.both_executed(a, b)});
    }
  });
  dynamic.for_each([&](EventId a, EventId b) {
    if (a != b && !reach.contains(b, a)) return;
    literals_.require({-literal(term, a, b, Use::Absence)});
    dynamic.erase(a, b);
  });
  const StepGraph steps = make_step_graph(graph_, bounds_, reach, dynamic, circular);
  for (const auto& [a, b] : steps.dynamic) {
    const Lit l = literals_.simplified(literal(term, a, b, Use::Absence));
    if (l != kFalse) edges.push_back({a, b, l});
  }
  for (const auto& [a, b] : steps.certain) {
    const bool strict = steps.strict.contains(a) || steps.strict.contains(b);
    edges.push_back({a, b, strict ? values_.both_executed(a, b) : kTrue});
  }
  drop_ordered_components(graph_, bounds_.candidates(), edges, [&](LocationId location) {
    return updates_.leads_forward(term, location) && updates_.leads_forward(steps.reach, location);
  });
  require_acyclic(literals_, graph_.size(), edges);
}

/// Returns whether `term` is a union that contains a declared order. Appends the other parts of the union to `rest`.
bool Encoder::order_constrains(TermId term, std::vector<TermId>& rest, std::uint32_t& order) {
  bool found = false;
  std::vector<TermId> open = {term};
  while (!open.empty()) {
    const TermId part = open.back();
    open.pop_back();
    if (const auto* both = std::get_if<rules::Union>(&rules_.terms[part])) {
      open.push_back(both->left);
      open.push_back(both->right);
    } else if (const auto* chosen = std::get_if<rules::OrderTerm>(&rules_.terms[part]); chosen != nullptr && !found) {
      found = true;
      order = chosen->order;
    } else {
      rest.push_back(part);
    }
  }
  if (!found || !order_constrained_[order]) return found;
  // If another axiom uses the same order, one linear extension works for both axioms only if the order ranks all events
  // of both.
  EventSet outside(graph_.size());
  for (const TermId part : rest) {
    outside |= events::domain(bounds_.of(part).may);
    outside |= events::range(bounds_.of(part).may);
  }
  outside -= events::domain(bounds_.of(rules_.orders[order].set).must);
  return outside.empty();
}

/// Requires acyclic(order | rest), which means that the order extends `rest`. Adds `rest` to the order's own graph, so
/// that the order needs variables only for pairs in other terms.
void Encoder::require_in_order(std::uint32_t order, const std::vector<TermId>& rest) {
  order_constrained_[order] = true;
  Relation may(graph_.size());
  Relation must(graph_.size());
  for (const TermId part : rest) {
    may |= bounds_.of(part).may;
    must |= bounds_.of(part).must;
  }
  const Relation reach = bounds_.close_must(must);
  Relation dynamic = may;
  dynamic -= reach;
  EventSet all(graph_.size());
  all.fill();
  const StepGraph steps = make_step_graph(graph_, bounds_, reach, dynamic, all);
  for (const auto& [a, b] : steps.dynamic) {
    std::vector<Lit> ways;
    ways.reserve(rest.size());
    for (const TermId part : rest) ways.push_back(literal(part, a, b, Use::Absence));
    const Lit l = literals_.any_of(ways);
    if (reach.contains(b, a)) {
      literals_.require({-l});
    } else if (l != kFalse) {
      orders_[order].constrain(a, b, literals_.guarded(l));
    }
  }
  for (const auto& [a, b] : steps.certain) {
    const bool strict = steps.strict.contains(a) || steps.strict.contains(b);
    orders_[order].constrain(a, b, literals_.guarded(strict ? values_.both_executed(a, b) : kTrue));
  }
  for (EventId e = 0; e < graph_.size(); ++e) {
    if (reach.contains(e, e)) literals_.require({-values_.executed(e)});
  }
}

}  // namespace ambit::smt
