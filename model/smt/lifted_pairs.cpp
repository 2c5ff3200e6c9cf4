#include "model/smt/lifted_pairs.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "model/smt/certainty.h"

namespace ambit::smt {
namespace {

using events::EventId;
using events::Relation;
using rules::TermId;

/// Returns the parts of a union. A closure among the parts is replaced by its argument.
std::vector<TermId> parts_of(const rules::Rules& rules, TermId term) {
  std::vector<TermId> parts;
  std::vector<TermId> open = {term};
  while (!open.empty()) {
    const TermId part = open.back();
    open.pop_back();
    if (const auto* both = std::get_if<rules::Union>(&rules.terms[part])) {
      open.push_back(both->left);
      open.push_back(both->right);
    } else if (const auto* closure = std::get_if<rules::TransitiveClosure>(&rules.terms[part])) {
      open.push_back(closure->argument);
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

/// Returns t if the term has the form t; r; t.
std::optional<TermId> classes_of(const rules::Rules& rules, TermId term) {
  const auto* outer = std::get_if<rules::Sequence>(&rules.terms[term]);
  if (outer == nullptr) return std::nullopt;
  const auto* front = std::get_if<rules::Sequence>(&rules.terms[outer->left]);
  if (front != nullptr && front->left == outer->right) return outer->right;
  const auto* back = std::get_if<rules::Sequence>(&rules.terms[outer->right]);
  if (back != nullptr && back->right == outer->left) return outer->left;
  return std::nullopt;
}

/// Returns whether any two events that `relation` relates have equal rows.
bool is_equivalence(const Relation& relation) {
  bool result = true;
  relation.for_each([&](EventId a, EventId b) {
    result = result && std::equal(relation.row(a), relation.row(a) + relation.stride(), relation.row(b));
  });
  return result;
}

class Reduction {
 public:
  Reduction(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, const Relation& reach,
            TermId term)
      : graph_(graph), rules_(rules), bounds_(bounds), reach_(reach), parts_(parts_of(rules, term)) {}

  void run(std::span<const Lift> lifts, Relation& pairs) {
    for (const Lift& lift : lifts) {
      const Relation related = bounds_.of(lift.classes).must;
      Relation found = bounds_.of(lift.part).may;
      found &= pairs;
      found.for_each([&](EventId a, EventId b) {
        const EventId last = last_of(related, a);
        const EventId first = first_of(related, b);
        if (last == a && first == b) return;
        if (pairs.contains(last, first) && is_all(lift, a, b)) pairs.erase(a, b);
      });
    }
  }

 private:
  bool is_like(const Relation& related, EventId a, EventId b) const {
    return related.contains(a, b) && graph_.events[a].guard == graph_.events[b].guard;
  }
  EventId last_of(const Relation& related, EventId a) const {
    EventId last = a;
    for (EventId e = a + 1; e < graph_.size(); ++e) {
      if (is_like(related, a, e) && reach_.contains(last, e)) last = e;
    }
    return last;
  }
  EventId first_of(const Relation& related, EventId b) const {
    EventId first = b;
    for (EventId e = b; e-- > 0;) {
      if (is_like(related, b, e) && reach_.contains(e, first)) first = e;
    }
    return first;
  }

  /// Returns whether all pairs of the union from the class of `a` to the class of `b` are in lifts with lift's classes.
  bool is_all(const Lift& lift, EventId a, EventId b) {
    return std::ranges::all_of(parts_, [&](TermId part) {
      if (!bounds_.of(part).may.contains(a, b) || classes_of(rules_, part) == lift.classes) return true;
      const auto* base = std::get_if<rules::BaseRelationTerm>(&rules_.terms[part]);
      return base != nullptr && is_chosen(base->relation) &&
             holds_with(rules_, bounds_, lift.part, a, b, base->relation);
    });
  }

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  Bounds& bounds_;
  const Relation& reach_;
  std::vector<TermId> parts_;
};

/// Returns whether an axiom forbids all cycles of the argument of `closure` through `e`.
bool has_no_cycle_through(const rules::Rules& rules, Bounds& bounds, TermId closure, EventId e) {
  const TermId argument = std::get<rules::TransitiveClosure>(rules.terms[closure]).argument;
  return std::ranges::any_of(rules.axioms, [&](const rules::Axiom& axiom) {
    if (axiom.negated) return false;
    if (axiom.test == rules::Test::Acyclic) return axiom.term == argument || axiom.term == closure;
    const auto* sequence = std::get_if<rules::Sequence>(&rules.terms[axiom.term]);
    if (axiom.test != rules::Test::Irreflexive || sequence == nullptr || sequence->right != closure) return false;
    const auto* start = std::get_if<rules::SetIdentity>(&rules.terms[sequence->left]);
    return start != nullptr && bounds.of(start->set).must.contains(e, e);
  });
}

/// Returns whether communication always orders the two accesses of one cell, and whether `lift` orders the accesses in
/// the same direction.
bool decides(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, TermId lift, EventId x,
             EventId y) {
  const events::Event& first = graph.events[x];
  const events::Event& second = graph.events[y];
  if (!first.is_write()) return second.is_write() && decides(graph, rules, bounds, lift, y, x);
  if (first.locations.size() != 1 || first.locations != second.locations) return false;
  const auto holds = [&](EventId from, EventId to, BaseRelation base) {
    return holds_with(rules, bounds, lift, from, to, base);
  };
  if (second.is_write()) return holds(x, y, BaseRelation::Coherence) && holds(y, x, BaseRelation::Coherence);
  const Candidates& candidates = bounds.candidates();
  return second.is_read() && holds(x, y, BaseRelation::ReadsFrom) && holds(y, x, BaseRelation::FromReads) &&
         std::ranges::all_of(candidates.sources[y], [&](EventId source) {
           return source == x || candidates.coherence.must.contains(source, x);
         });
}

}  // namespace

std::vector<Lift> lifts_of(const rules::Rules& rules, Bounds& bounds, TermId term) {
  std::vector<Lift> lifts;
  for (const TermId part : parts_of(rules, term)) {
    const std::optional<TermId> classes = classes_of(rules, part);
    if (!classes) continue;
    const Bound& bound = bounds.of(*classes);
    if (bound.may == bound.must && is_equivalence(bound.must)) lifts.push_back({part, *classes});
  }
  return lifts;
}

std::optional<TermId> lift_that_decides(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds,
                                        std::span<const Lift> lifts, TermId term, EventId a, EventId b) {
  for (const Lift& lift : lifts) {
    const Relation& related = bounds.of(lift.classes).must;
    if (!bounds.of(lift.part).may.contains(a, b) || related.contains(a, b)) continue;
    const auto is_like = [&](EventId e, EventId other) {
      return related.contains(e, other) && graph.events[e].guard == graph.events[other].guard;
    };
    for (EventId x = 0; x < graph.size(); ++x) {
      if (!is_like(a, x)) continue;
      for (EventId y = 0; y < graph.size(); ++y) {
        if (!is_like(b, y) || !decides(graph, rules, bounds, lift.part, x, y)) continue;
        if (has_no_cycle_through(rules, bounds, term, a)) return lift.part;
        return std::nullopt;
      }
    }
  }
  return std::nullopt;
}

void drop_lifted_pairs(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, TermId term,
                       const Relation& reach, Relation& pairs) {
  const std::vector<Lift> lifts = lifts_of(rules, bounds, term);
  if (!lifts.empty()) Reduction(graph, rules, bounds, reach, term).run(lifts, pairs);
}

}  // namespace ambit::smt
