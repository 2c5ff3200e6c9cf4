#include "model/smt/certainty.h"

#include <algorithm>
#include <set>
#include <vector>

namespace ambit::smt {

using events::EventId;
using rules::Rules;
using rules::TermId;
using rules::Test;

bool is_base(const Rules& rules, TermId term, BaseRelation base) {
  const auto* leaf = std::get_if<rules::BaseRelationTerm>(&rules.terms[term]);
  return leaf != nullptr && leaf->relation == base;
}

bool is_communication(const Rules& rules, TermId term) {
  std::set<BaseRelation> found;
  std::vector<TermId> open = {term};
  while (!open.empty()) {
    const rules::Term& part = rules.terms[open.back()];
    open.pop_back();
    if (const auto* both = std::get_if<rules::Union>(&part)) {
      open.push_back(both->left);
      open.push_back(both->right);
    } else if (const auto* base = std::get_if<rules::BaseRelationTerm>(&part)) {
      found.insert(base->relation);
    } else {
      return false;
    }
  }
  return found == std::set{BaseRelation::ReadsFrom, BaseRelation::Coherence, BaseRelation::FromReads};
}

bool holds_with(const Rules& rules, Bounds& bounds, TermId term, EventId a, EventId b, BaseRelation base) {
  if (bounds.of(term).must.contains(a, b) || is_base(rules, term, base)) return true;
  const auto holds = [&](TermId part) { return holds_with(rules, bounds, part, a, b, base); };
  const rules::Term& t = rules.terms[term];
  if (const auto* op = std::get_if<rules::Union>(&t)) return holds(op->left) || holds(op->right);
  if (const auto* op = std::get_if<rules::Intersection>(&t)) return holds(op->left) && holds(op->right);
  if (const auto* op = std::get_if<rules::Difference>(&t)) {
    return !bounds.of(op->right).may.contains(a, b) && holds(op->left);
  }
  if (const auto* op = std::get_if<rules::TransitiveClosure>(&t)) return holds(op->argument);
  if (const auto* op = std::get_if<rules::Optional>(&t)) return holds(op->argument);
  if (const auto* op = std::get_if<rules::Sequence>(&t)) {
    return (bounds.of(op->left).must.contains(a, a) && holds(op->right)) ||
           (bounds.of(op->right).must.contains(b, b) && holds(op->left));
  }
  return false;
}

bool is_part_of(const Rules& rules, Bounds& bounds, TermId term, BaseRelation base) {
  if (is_base(rules, term, base)) return true;
  const auto is_part = [&](TermId part) { return is_part_of(rules, bounds, part, base); };
  const rules::Term& t = rules.terms[term];
  if (const auto* op = std::get_if<rules::Union>(&t)) return is_part(op->left) && is_part(op->right);
  if (const auto* op = std::get_if<rules::Intersection>(&t);
      op != nullptr && (is_part(op->left) || is_part(op->right))) {
    return true;
  }
  if (const auto* op = std::get_if<rules::Difference>(&t); op != nullptr && is_part(op->left)) return true;
  if (const auto* op = std::get_if<rules::TransitiveClosure>(&t); op != nullptr && base == BaseRelation::Coherence) {
    return is_part(op->argument);
  }
  const bool is_demanded = std::ranges::any_of(rules.axioms, [&](const rules::Axiom& axiom) {
    if (axiom.negated || axiom.test != Test::Empty) return false;
    const auto* rest = std::get_if<rules::Difference>(&rules.terms[axiom.term]);
    return rest != nullptr && rest->left == term && is_base(rules, rest->right, base);
  });
  if (is_demanded) return true;
  events::Relation outside = bounds.of(term).may;
  const Candidates& candidates = bounds.candidates();
  outside -= base == BaseRelation::Coherence ? candidates.coherence.must : candidates.reads_from.must;
  return outside.empty();
}

namespace {

void add_parts(const Rules& rules, Bounds& bounds, Test test, TermId term, std::vector<AxiomPart>& parts) {
  const rules::Term& t = rules.terms[term];
  if (test == Test::Acyclic) {
    parts.push_back({test, term, events::inverse(bounds.close_must(bounds.of(term).must))});
  } else if (const auto* op = std::get_if<rules::Union>(&t)) {
    add_parts(rules, bounds, test, op->left, parts);
    add_parts(rules, bounds, test, op->right, parts);
  } else if (const auto* closure = std::get_if<rules::TransitiveClosure>(&t);
             closure != nullptr && test == Test::Irreflexive) {
    add_parts(rules, bounds, Test::Acyclic, closure->argument, parts);
  } else {
    parts.push_back({test, term, {}});
  }
}

}  // namespace

std::vector<AxiomPart> parts_of_axioms(const Rules& rules, Bounds& bounds) {
  std::vector<AxiomPart> parts;
  for (const rules::Axiom& axiom : rules.axioms) {
    if (!axiom.negated) add_parts(rules, bounds, axiom.test, axiom.term, parts);
  }
  return parts;
}

}  // namespace ambit::smt
