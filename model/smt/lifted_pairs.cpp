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

/// The parts of a union; a closure among them stands for its argument.
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

/// t of a term t; r; t.
std::optional<TermId> classes_of(const rules::Rules& rules, TermId term) {
  const auto* outer = std::get_if<rules::Sequence>(&rules.terms[term]);
  if (outer == nullptr) return std::nullopt;
  const auto* front = std::get_if<rules::Sequence>(&rules.terms[outer->left]);
  if (front != nullptr && front->left == outer->right) return outer->right;
  const auto* back = std::get_if<rules::Sequence>(&rules.terms[outer->right]);
  if (back != nullptr && back->right == outer->left) return outer->left;
  return std::nullopt;
}

/// Events that `relation` relates to something have the same row as what it relates them to.
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
            std::vector<TermId> parts)
      : graph_(graph), rules_(rules), bounds_(bounds), reach_(reach), parts_(std::move(parts)) {}

  void run(Relation& pairs) {
    for (const TermId lift : parts_) {
      const std::optional<TermId> classes = classes_of(rules_, lift);
      if (!classes) continue;
      const Bound& bound = bounds_.of(*classes);
      if (bound.may != bound.must || !is_equivalence(bound.must)) continue;
      const Relation related = bound.must;
      Relation found = bounds_.of(lift).may;
      found &= pairs;
      found.for_each([&](EventId a, EventId b) {
        const EventId last = last_of(related, a);
        const EventId first = first_of(related, b);
        if (last == a && first == b) return;
        if (pairs.contains(last, first) && is_all(lift, *classes, a, b)) pairs.erase(a, b);
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

  /// Where the union has the pair, `lift` has it.
  bool is_all(TermId lift, TermId classes, EventId a, EventId b) {
    return std::ranges::all_of(parts_, [&](TermId part) {
      if (part == lift || !bounds_.of(part).may.contains(a, b) || classes_of(rules_, part) == classes) return true;
      const auto* base = std::get_if<rules::BaseRelationTerm>(&rules_.terms[part]);
      return base != nullptr && is_chosen(base->relation) && holds_with(rules_, bounds_, lift, a, b, base->relation);
    });
  }

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  Bounds& bounds_;
  const Relation& reach_;
  std::vector<TermId> parts_;
};

}  // namespace

void drop_lifted_pairs(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, TermId term,
                       const Relation& reach, Relation& pairs) {
  std::vector<TermId> parts = parts_of(rules, term);
  if (std::ranges::none_of(parts, [&](TermId part) { return classes_of(rules, part).has_value(); })) return;
  Reduction(graph, rules, bounds, reach, std::move(parts)).run(pairs);
}

}  // namespace ambit::smt
