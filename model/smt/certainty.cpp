#include "model/smt/certainty.h"

#include <algorithm>
#include <vector>

namespace ambit::smt {

using events::EventId;
using rules::Rules;
using rules::TermId;
using rules::Test;

namespace {

bool is_base(const Rules& rules, TermId term, BaseRelation base) {
  const auto* leaf = std::get_if<rules::BaseRelationTerm>(&rules.terms[term]);
  return leaf != nullptr && leaf->relation == base;
}

}  // namespace

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

namespace {

/// Shows that an axiom keeps other writes out between the write that an update reads from and its own.
class AtomicityProof {
 public:
  AtomicityProof(const Candidates& candidates, const events::EventGraph& graph, const Rules& rules, Bounds& bounds,
                 Context& context)
      : candidates_(candidates),
        graph_(graph),
        rules_(rules),
        bounds_(bounds),
        context_(context),
        parts_(parts_of_axioms(rules, bounds)) {}

  bool succeeds(LocationId location) {
    std::vector<EventId> updates;
    for (const EventId w : candidates_.writes[location]) {
      const events::Event& write = graph_.events[w];
      if (!write.is_unconditional() || write.locations.size() != 1) return false;
      if (write.kind == events::EventKind::InitialWrite) continue;
      if (!write.is_rmw || write.rmw_partner == events::kNoEvent) return false;
      if (!graph_.events[write.rmw_partner].is_unconditional()) return false;
      updates.push_back(w);
    }
    return updates.size() > 1 && std::ranges::all_of(updates, [&](EventId w) { return is_next(w, updates); });
  }

 private:
  /// Whatever the update reads from is the write just before its own.
  bool is_next(EventId write, const std::vector<EventId>& updates) {
    const EventId read = graph_.events[write].rmw_partner;
    const events::Relation& may = candidates_.coherence.may;
    return std::ranges::all_of(candidates_.sources[read], [&](EventId source) {
      context_.poll(updates.size());
      const auto is_younger_forbidden = [&](const AxiomPart& part) {
        return forbids_younger(part, write, read, source);
      };
      if (may.contains(write, source) && std::ranges::none_of(parts_, is_younger_forbidden)) return false;
      return std::ranges::all_of(updates, [&](EventId between) {
        if (between == source || between == write) return true;
        if (!may.contains(source, between) || !may.contains(between, write)) return true;
        return std::ranges::any_of(
            parts_, [&](const AxiomPart& part) { return forbids_between(part, write, read, source, between); });
      });
    });
  }

  bool holds_with(TermId term, EventId a, EventId b, BaseRelation base) {
    return smt::holds_with(rules_, bounds_, term, a, b, base);
  }

  /// The part fails when `read` reads from `source` and `write` comes before it in coherence.
  bool forbids_younger(const AxiomPart& part, EventId write, EventId read, EventId source) {
    if (part.test == Test::Acyclic) {
      return part.into.contains(write, read) && holds_with(part.term, write, source, BaseRelation::Coherence) &&
             holds_with(part.term, source, read, BaseRelation::ReadsFrom);
    }
    const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[part.term]);
    if (part.test != Test::Irreflexive || sequence == nullptr) return false;
    // read -> write -> source -> read, two steps of which are one walk of a closure; or rf and what orders the rest.
    const auto walks = [&](TermId term) {
      if (const auto* optional = std::get_if<rules::Optional>(&rules_.terms[term])) term = optional->argument;
      const auto* closure = std::get_if<rules::TransitiveClosure>(&rules_.terms[term]);
      return closure != nullptr && holds_with(closure->argument, write, source, BaseRelation::Coherence) &&
             holds_with(closure->argument, source, read, BaseRelation::ReadsFrom);
    };
    return (bounds_.of(sequence->left).must.contains(read, write) && walks(sequence->right)) ||
           (bounds_.of(sequence->right).must.contains(read, write) && walks(sequence->left));
  }

  /// The part fails when `read` reads from `source` and `between` comes between it and `write`.
  bool forbids_between(const AxiomPart& part, EventId write, EventId read, EventId source, EventId between) {
    if (part.test != Test::Empty) return false;
    const auto* both = std::get_if<rules::Intersection>(&rules_.terms[part.term]);
    if (both == nullptr) return false;
    for (const auto& [pairs, path] : {std::pair(both->left, both->right), std::pair(both->right, both->left)}) {
      const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[path]);
      if (sequence != nullptr && bounds_.of(pairs).must.contains(read, write) &&
          is_overwritten(sequence->left, read, source, between) &&
          holds_with(sequence->right, between, write, BaseRelation::Coherence)) {
        return true;
      }
    }
    return false;
  }

  /// `term` contains (read, between) when `read` reads from `source`, which comes before `between`.
  bool is_overwritten(TermId term, EventId read, EventId source, EventId between) {
    if (bounds_.of(term).must.contains(read, between) || is_base(rules_, term, BaseRelation::FromReads)) return true;
    const auto is_part = [&](TermId part) { return is_overwritten(part, read, source, between); };
    const rules::Term& t = rules_.terms[term];
    if (const auto* op = std::get_if<rules::Union>(&t)) return is_part(op->left) || is_part(op->right);
    if (const auto* op = std::get_if<rules::Intersection>(&t)) return is_part(op->left) && is_part(op->right);
    const auto* sequence = std::get_if<rules::Sequence>(&t);
    if (sequence == nullptr) return false;
    const auto* inverse = std::get_if<rules::Inverse>(&rules_.terms[sequence->left]);
    return inverse != nullptr && is_base(rules_, inverse->argument, BaseRelation::ReadsFrom) &&
           holds_with(sequence->right, source, between, BaseRelation::Coherence);
  }

  const Candidates& candidates_;
  const events::EventGraph& graph_;
  const Rules& rules_;
  Bounds& bounds_;
  Context& context_;
  std::vector<AxiomPart> parts_;
};

}  // namespace

void find_atomic_cells(Candidates& candidates, const events::EventGraph& graph, const Rules& rules, Bounds& bounds,
                       Context& context) {
  AtomicityProof proof(candidates, graph, rules, bounds, context);
  for (LocationId l = 0; l < candidates.writes.size(); ++l) candidates.is_atomic[l] = proof.succeeds(l);
}

}  // namespace ambit::smt
