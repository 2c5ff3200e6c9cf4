#include "model/smt/bounds.h"

#include <map>

namespace ambit::smt {

using events::EventId;
using events::EventSet;
using events::NodeId;
using events::Relation;
using events::ValueGraph;
using rules::TermId;

namespace {

/// Returns the pairs (a, c) for which a's guard implies c's guard.
Relation implied_events(const events::EventGraph& graph, Context& context) {
  const std::size_t n = graph.size();
  std::map<NodeId, EventSet> by_guard;
  for (EventId e = 0; e < n; ++e) by_guard.try_emplace(graph.events[e].guard, n).first->second.insert(e);
  Relation result(n);
  if (by_guard.size() == 1) return events::product(by_guard.begin()->second, by_guard.begin()->second);
  ValueGraph values = graph.values;  // use a copy, because implication may make new nodes
  for (const auto& [guard, members] : by_guard) {
    for (const auto& [other, others] : by_guard) {
      context.poll(50);
      if (guard == other || values.implies(guard, other)) result |= events::product(members, others);
    }
  }
  return result;
}

Relation all_pairs(std::size_t n) {
  EventSet all(n);
  all.fill();
  return events::product(all, all);
}

Relation all_identity(std::size_t n) {
  EventSet all(n);
  all.fill();
  return events::identity(all);
}

}  // namespace

struct Bounds::Visitor {
  Bounds& bounds;
  TermId term;

  std::size_t size() const { return bounds.graph_.size(); }
  Relation empty() const { return Relation(size()); }

  Bound operator()(const rules::BaseSetTerm& op) const {
    const events::ConditionalSet& set = bounds.graph_.set(op.set);
    EventSet may = set.always.word_count() == 0 ? EventSet(size()) : set.always;
    Relation must = events::identity(may);
    for (const auto& member : set.sometimes) may.insert(member.event);
    return {events::identity(may), std::move(must)};
  }
  Bound operator()(const rules::BaseRelationTerm& op) const {
    switch (op.relation) {
      case BaseRelation::ReadsFrom: return bounds.candidates_.reads_from;
      case BaseRelation::Coherence: return bounds.candidates_.coherence;
      case BaseRelation::FromReads:
        return {events::compose(events::inverse(bounds.candidates_.reads_from.may), bounds.candidates_.coherence.may),
                bounds.compose_must(events::inverse(bounds.candidates_.reads_from.must),
                                    bounds.candidates_.coherence.must)};
      default: break;
    }
    const events::ConditionalRelation& relation = bounds.graph_.relation(op.relation);
    Relation must = relation.always.stride() == 0 ? empty() : relation.always;
    Relation may = must;
    for (const auto& pair : relation.sometimes) may.insert(pair.from, pair.to);
    return {std::move(may), std::move(must)};
  }
  Bound operator()(const rules::OrderTerm& op) const {
    const EventSet members = events::domain(bounds.of(bounds.rules_.orders[op.order].set).may);
    Relation may = events::product(members, members);
    may -= events::identity(members);
    return {std::move(may), empty()};
  }
  Bound operator()(const rules::FixpointTerm& op) const {
    bounds.solve(bounds.rules_.fixpoints[op.fixpoint].group);
    return bounds.bounds_[term];
  }
  Bound operator()(const rules::Empty&) const { return {empty(), empty()}; }
  Bound operator()(const rules::Union& op) const {
    Bound result = bounds.of(op.left);
    const Bound& right = bounds.of(op.right);
    result.may |= right.may;
    result.must |= right.must;
    return result;
  }
  Bound operator()(const rules::Intersection& op) const {
    Bound result = bounds.of(op.left);
    const Bound& right = bounds.of(op.right);
    result.may &= right.may;
    result.must &= right.must;
    return result;
  }
  Bound operator()(const rules::Difference& op) const {
    Bound result = bounds.of(op.left);
    const Bound& right = bounds.of(op.right);
    result.may -= right.must;
    result.must -= right.may;
    return result;
  }
  Bound operator()(const rules::Complement& op) const {
    const bool is_set = bounds.rules_.kinds[term] == rules::Kind::Set;
    Bound result{is_set ? all_identity(size()) : all_pairs(size()), {}};
    result.must = result.may;
    const Bound& argument = bounds.of(op.argument);
    result.may -= argument.must;
    result.must -= argument.may;
    return result;
  }
  Bound operator()(const rules::Sequence& op) const {
    bounds.of(op.left);
    const Bound& right = bounds.of(op.right);
    const Bound& left = bounds.of(op.left);
    return {events::compose(left.may, right.may), bounds.compose_must(left.must, right.must)};
  }
  Bound operator()(const rules::Inverse& op) const {
    const Bound& argument = bounds.of(op.argument);
    return {events::inverse(argument.may), events::inverse(argument.must)};
  }
  Bound operator()(const rules::TransitiveClosure& op) const {
    const Bound& argument = bounds.of(op.argument);
    return {events::transitive_closure(argument.may), bounds.close_must(argument.must)};
  }
  Bound operator()(const rules::Optional& op) const {
    Bound result = bounds.of(op.argument);
    const Relation identity = all_identity(size());
    result.may |= identity;
    result.must |= identity;
    return result;
  }
  Bound operator()(const rules::SetIdentity& op) const { return bounds.of(op.set); }
  Bound operator()(const rules::Product& op) const {
    bounds.of(op.left);
    const Bound& right = bounds.of(op.right);
    const Bound& left = bounds.of(op.left);
    return {events::product(events::domain(left.may), events::domain(right.may)),
            events::product(events::domain(left.must), events::domain(right.must))};
  }
  Bound operator()(const rules::Domain& op) const {
    const Bound& argument = bounds.of(op.argument);
    return {events::identity(events::domain(argument.may)), events::identity(certain_ends(argument.must))};
  }
  Bound operator()(const rules::Range& op) const {
    const Bound& argument = bounds.of(op.argument);
    return {events::identity(events::range(argument.may)),
            events::identity(certain_ends(events::inverse(argument.must)))};
  }

  /// Returns the events a that have a pair (a, b) in `must` such that b is executed whenever a is executed.
  EventSet certain_ends(Relation must) const {
    must &= bounds.implied_;
    return events::domain(must);
  }
};

Bounds::Bounds(const events::EventGraph& graph, const rules::Rules& rules, const Candidates& candidates,
               Context& context)
    : graph_(graph),
      rules_(rules),
      candidates_(candidates),
      context_(context),
      implied_(implied_events(graph, context)),
      implied_by_(events::inverse(implied_)),
      bounds_(rules.terms.size()),
      known_(rules.terms.size(), false) {}

const Bound& Bounds::of(TermId term) {
  if (!known_[term]) {
    context_.poll(implied_.word_count() / 50);
    Bound bound = std::visit(Visitor{*this, term}, rules_.terms[term]);
    if (refine_) refine_(term, bound);
    bounds_[term] = std::move(bound);
    known_[term] = true;
  }
  return bounds_[term];
}

Relation Bounds::compose_must(const Relation& a, const Relation& b) const {
  Relation result(a.size());
  const std::size_t stride = a.stride();
  a.for_each([&](EventId x, EventId middle) {
    const std::uint64_t* in = b.row(middle);
    const std::uint64_t* ends = implied_by_.row(middle);
    const bool always = implied_.contains(x, middle);
    std::uint64_t* out = result.row(x);
    for (std::size_t w = 0; w < stride; ++w) out[w] |= always ? in[w] : in[w] & ends[w];
  });
  return result;
}

Relation Bounds::close_must(Relation a) const {
  const std::size_t stride = a.stride();
  for (EventId k = 0; k < a.size(); ++k) {
    const std::uint64_t* middle = a.row(k);
    const std::uint64_t* ends = implied_by_.row(k);
    for (EventId i = 0; i < a.size(); ++i) {
      if (i == k || !a.contains(i, k)) continue;
      const bool always = implied_.contains(i, k);
      std::uint64_t* out = a.row(i);
      for (std::size_t w = 0; w < stride; ++w) out[w] |= always ? middle[w] : middle[w] & ends[w];
    }
  }
  return a;
}

void Bounds::solve(std::uint32_t group) {
  std::vector<const rules::Fixpoint*> members;
  for (const rules::Fixpoint& fixpoint : rules_.fixpoints) {
    if (fixpoint.group == group) members.push_back(&fixpoint);
  }
  for (const rules::Fixpoint* member : members) {
    bounds_[member->variable] = {Relation(graph_.size()), Relation(graph_.size())};
    known_[member->variable] = true;
  }
  const std::vector<bool> known_before = known_;
  for (bool changed = true; changed;) {
    changed = false;
    known_ = known_before;
    std::vector<Bound> next;
    next.reserve(members.size());
    for (const rules::Fixpoint* member : members) next.push_back(of(member->body));
    for (std::size_t i = 0; i < members.size(); ++i) {
      Bound& current = bounds_[members[i]->variable];
      changed = changed || next[i].may != current.may || next[i].must != current.must;
      current = std::move(next[i]);
    }
  }
}

}  // namespace ambit::smt
