#include "model/rules/implied_axioms.h"

#include <map>
#include <utility>
#include <vector>

namespace ambit::rules {
namespace {

/// Decides, from the form of two terms, whether one term contains the other in all executions.
class Inclusion {
 public:
  explicit Inclusion(const Rules& rules) : rules_(rules) {}

  bool holds(TermId part, TermId whole) {
    if (part == whole || as<Empty>(part) != nullptr) return true;
    const auto [known, is_new] = known_.try_emplace({part, whole}, false);
    if (!is_new) return known->second;
    const bool found = is_part(part, whole);
    known_[{part, whole}] = found;
    return found;
  }

  /// Returns whether the axiom `whole` implies the axiom `part`.
  bool is_implied(const Axiom& part, const Axiom& whole) {
    if (whole.test == Test::Acyclic) return holds(part.term, whole.term);
    // irreflexive [S]; r+ means that no cycle of r passes through S.
    const auto* sequence = as<Sequence>(whole.term);
    const auto* start = sequence == nullptr ? nullptr : as<SetIdentity>(sequence->left);
    const auto* closure = sequence == nullptr ? nullptr : as<TransitiveClosure>(sequence->right);
    return whole.test == Test::Irreflexive && start != nullptr && closure != nullptr &&
           holds(part.term, sequence->right) && begins_in(part.term, start->set);
  }

 private:
  template <typename Operator>
  const Operator* as(TermId term) const {
    return std::get_if<Operator>(&rules_.terms[term]);
  }

  bool is_part(TermId part, TermId whole) {
    if (const auto* a = as<Union>(part)) return holds(a->left, whole) && holds(a->right, whole);
    if (const auto* b = as<Intersection>(whole)) return holds(part, b->left) && holds(part, b->right);
    return has_part(part, whole) || is_smaller(part, whole) || is_alike(part, whole);
  }

  /// Returns whether `whole` contains one of its own arguments, and this argument contains `part`.
  bool has_part(TermId part, TermId whole) {
    if (const auto* b = as<Union>(whole)) return holds(part, b->left) || holds(part, b->right);
    if (const auto* b = as<TransitiveClosure>(whole)) {
      const auto* a = as<TransitiveClosure>(part);
      return holds(part, b->argument) || (a != nullptr && holds(a->argument, whole));
    }
    if (const auto* b = as<Optional>(whole)) return holds(part, b->argument);
    return false;
  }

  /// Returns whether `whole` contains an argument of `part`, and this argument contains `part`.
  bool is_smaller(TermId part, TermId whole) {
    if (const auto* a = as<Intersection>(part)) return holds(a->left, whole) || holds(a->right, whole);
    if (const auto* a = as<Difference>(part)) return holds(a->left, whole);
    if (const auto* a = as<Sequence>(part)) {
      return (as<SetIdentity>(a->left) != nullptr && holds(a->right, whole)) ||
             (as<SetIdentity>(a->right) != nullptr && holds(a->left, whole));
    }
    return false;
  }

  /// Returns whether each pair of `relation` begins in `set`, according to the form of the relation.
  bool begins_in(TermId relation, TermId set) {
    if (const auto* r = as<SetIdentity>(relation)) return holds(r->set, set);
    if (const auto* r = as<Sequence>(relation)) return begins_in(r->left, set);
    if (const auto* r = as<Difference>(relation)) return begins_in(r->left, set);
    if (const auto* r = as<Intersection>(relation)) return begins_in(r->left, set) || begins_in(r->right, set);
    if (const auto* r = as<Union>(relation)) return begins_in(r->left, set) && begins_in(r->right, set);
    const auto* base = as<BaseRelationTerm>(relation);
    const auto* members = as<BaseSetTerm>(set);
    return base != nullptr && members != nullptr && members->set == BaseSet::Transaction &&
           (base->relation == BaseRelation::SameTransaction || base->relation == BaseRelation::SameFailedTransaction);
  }

  /// Returns whether both terms have the same operator, and their arguments show that `part` is contained in `whole`.
  bool is_alike(TermId part, TermId whole) {
    if (const auto* b = as<Difference>(whole)) {
      const auto* a = as<Difference>(part);
      return a != nullptr && holds(a->left, b->left) && holds(b->right, a->right);
    }
    if (const auto* b = as<Sequence>(whole)) {
      const auto* a = as<Sequence>(part);
      return a != nullptr && holds(a->left, b->left) && holds(a->right, b->right);
    }
    if (const auto* b = as<SetIdentity>(whole)) {
      const auto* a = as<SetIdentity>(part);
      return a != nullptr && holds(a->set, b->set);
    }
    return false;
  }

  const Rules& rules_;
  std::map<std::pair<TermId, TermId>, bool> known_;
};

/// Returns a term that has a cycle iff `term` has a cycle. If `term` is a union, replaces each closure r+ in the union
/// by r.
TermId without_closures(Rules& rules, TermId term) {
  if (const auto* closure = std::get_if<TransitiveClosure>(&rules.terms[term])) {
    return without_closures(rules, closure->argument);
  }
  const auto* both = std::get_if<Union>(&rules.terms[term]);
  if (both == nullptr) return term;
  const Union old = *both;  // use a copy, because interning moves the terms
  const TermId left = without_closures(rules, old.left);
  const TermId right = without_closures(rules, old.right);
  if (left == old.left && right == old.right) return term;
  return rules.intern(Union{left, right}, Kind::Relation);
}

}  // namespace

Rules without_implied_axioms(const Rules& rules) {
  Rules result = rules;
  for (Axiom& axiom : result.axioms) {
    if (axiom.negated || result.kinds[axiom.term] != Kind::Relation) continue;
    const bool is_closed = std::holds_alternative<TransitiveClosure>(result.terms[axiom.term]);
    if (axiom.test == Test::Irreflexive && is_closed) axiom.test = Test::Acyclic;
    if (axiom.test == Test::Acyclic) axiom.term = without_closures(result, axiom.term);
  }
  Inclusion inclusion(result);
  std::vector<bool> is_implied(result.axioms.size(), false);
  for (std::size_t i = 0; i < result.axioms.size(); ++i) {
    const Axiom& axiom = result.axioms[i];
    if (axiom.negated || axiom.test == Test::Empty) continue;
    for (std::size_t k = 0; k < result.axioms.size() && !is_implied[i]; ++k) {
      const Axiom& other = result.axioms[k];
      if (k != i && !is_implied[k] && !other.negated) is_implied[i] = inclusion.is_implied(axiom, other);
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < result.axioms.size(); ++i) {
    if (is_implied[i]) continue;
    if (kept != i) result.axioms[kept] = std::move(result.axioms[i]);
    ++kept;
  }
  result.axioms.resize(kept);
  return prune(result);
}

}  // namespace ambit::rules
