#include "model/smt/atomic_cells.h"

#include <algorithm>
#include <set>
#include <vector>

#include "model/rules/terms.h"
#include "model/smt/certainty.h"

namespace ambit::smt {

using events::Event;
using events::EventId;
using rules::Rules;
using rules::TermId;
using rules::Test;

namespace {

/// Proves that an axiom forbids other writes between the source of an update and the update's own write.
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
    writes_ = &candidates_.writes[location];
    complete_.clear();
    updates_.clear();
    for (const EventId w : *writes_) {
      if (graph_.events[w].is_rmw) updates_.push_back(w);
    }
    const auto has_no_write_between = [&](const AxiomPart& part) { return keeps_others_out(part); };
    return others_come_first() && std::ranges::any_of(parts_, has_no_write_between) &&
           std::ranges::all_of(updates_, [&](EventId w) { return reads_nothing_younger(w); });
  }

 private:
  /// Returns whether all writes other than updates precede all updates. Then updates read only from the last of those
  /// writes, or from updates.
  bool others_come_first() const {
    const events::Relation& may = candidates_.coherence.may;
    for (const EventId other : *writes_) {
      if (graph_.events[other].is_rmw) continue;
      if (std::ranges::any_of(updates_, [&](EventId w) { return may.contains(w, other); })) return false;
      const bool is_last =
          std::ranges::none_of(*writes_, [&](EventId w) { return !graph_.events[w].is_rmw && may.contains(other, w); });
      const bool is_read = std::ranges::any_of(updates_, [&](EventId w) {
        return std::ranges::binary_search(candidates_.sources[graph_.events[w].rmw_partner], other);
      });
      if (!is_last && is_read) return false;
    }
    return true;
  }

  /// Returns whether this part of an axiom is violated if another update comes between the source of an update and the
  /// update's own write.
  bool keeps_others_out(const AxiomPart& part) {
    if (part.test != Test::Empty) return false;
    const auto* both = std::get_if<rules::Intersection>(&rules_.terms[part.term]);
    if (both == nullptr) return false;
    const auto keeps = [&](rules::TermId pairs, rules::TermId path) {
      const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[path]);
      return sequence != nullptr && std::ranges::all_of(updates_, [&](EventId w) {
               return bounds_.of(pairs).must.contains(graph_.events[w].rmw_partner, w) &&
                      excludes_updates_between(*sequence, w);
             });
    };
    return keeps(both->left, both->right) || keeps(both->right, both->left);
  }

  /// Returns whether `sequence` always relates the update's read to its write if another update comes between the
  /// update's source and the update's write.
  bool excludes_updates_between(const rules::Sequence& sequence, EventId write) {
    context_.poll(updates_.size());
    return std::ranges::all_of(updates_, [&](EventId between) {
      if (between == write || !candidates_.coherence.may.contains(between, write)) return true;
      return is_overwritten(sequence.left, graph_.events[write].rmw_partner, between) &&
             holds_with(rules_, bounds_, sequence.right, between, write, BaseRelation::Coherence);
    });
  }

  /// Returns whether `term` contains (read, between) if the source of `read` precedes `between`.
  bool is_overwritten(TermId term, EventId read, EventId between) {
    if (bounds_.of(term).must.contains(read, between) || is_base(rules_, term, BaseRelation::FromReads)) return true;
    const auto is_part = [&](TermId part) { return is_overwritten(part, read, between); };
    const rules::Term& t = rules_.terms[term];
    if (const auto* op = std::get_if<rules::Union>(&t)) return is_part(op->left) || is_part(op->right);
    if (const auto* op = std::get_if<rules::Intersection>(&t)) return is_part(op->left) && is_part(op->right);
    const auto* sequence = std::get_if<rules::Sequence>(&t);
    if (sequence == nullptr) return false;
    const auto* inverse = std::get_if<rules::Inverse>(&rules_.terms[sequence->left]);
    return inverse != nullptr && is_base(rules_, inverse->argument, BaseRelation::ReadsFrom) &&
           is_complete(sequence->right);
  }

  /// Returns whether `term` relates each write to each update that follows it in coherence.
  bool is_complete(TermId term) {
    const auto [known, is_new] = complete_.try_emplace(term, true);
    if (!is_new) return known->second;
    for (const EventId w : updates_) {
      context_.poll(writes_->size());
      for (const EventId older : *writes_) {
        if (older == w || !candidates_.coherence.may.contains(older, w)) continue;
        if (!holds_with(rules_, bounds_, term, older, w, BaseRelation::Coherence)) return known->second = false;
      }
    }
    return true;
  }

  bool reads_nothing_younger(EventId write) {
    const EventId read = graph_.events[write].rmw_partner;
    context_.poll(updates_.size());
    return std::ranges::all_of(candidates_.sources[read], [&](EventId source) {
      return !candidates_.coherence.may.contains(write, source) ||
             std::ranges::any_of(parts_,
                                 [&](const AxiomPart& part) { return forbids_younger(part, write, read, source); });
    });
  }

  /// Returns whether this part of an axiom is violated if `read` reads from `source` and `write` precedes `source` in
  /// coherence.
  bool forbids_younger(const AxiomPart& part, EventId write, EventId read, EventId source) {
    const auto closes = [&](TermId term) {
      return holds_with(rules_, bounds_, term, write, source, BaseRelation::Coherence) &&
             holds_with(rules_, bounds_, term, source, read, BaseRelation::ReadsFrom);
    };
    if (part.test == Test::Acyclic) return part.into.contains(write, read) && closes(part.term);
    const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[part.term]);
    if (part.test != Test::Irreflexive || sequence == nullptr) return false;
    // The cycle is read -> write -> source -> read. A closure may contain two steps of the cycle as one path.
    const auto walks = [&](TermId term) {
      if (const auto* optional = std::get_if<rules::Optional>(&rules_.terms[term])) term = optional->argument;
      const auto* closure = std::get_if<rules::TransitiveClosure>(&rules_.terms[term]);
      return closure != nullptr && closes(closure->argument);
    };
    return (bounds_.of(sequence->left).must.contains(read, write) && walks(sequence->right)) ||
           (bounds_.of(sequence->right).must.contains(read, write) && walks(sequence->left));
  }

  const Candidates& candidates_;
  const events::EventGraph& graph_;
  const Rules& rules_;
  Bounds& bounds_;
  Context& context_;
  std::vector<AxiomPart> parts_;
  const std::vector<EventId>* writes_ = nullptr;  ///< writes of the cell
  std::vector<EventId> updates_;                  ///< the writes of the cell's updates
  std::map<TermId, bool> complete_;
};

bool is_recursive(const Rules& rules, TermId term) {
  std::set<TermId> seen = {term};
  for (std::vector<TermId> open = {term}; !open.empty();) {
    const TermId next = open.back();
    open.pop_back();
    if (std::holds_alternative<rules::FixpointTerm>(rules.terms[next])) return true;
    rules::for_each_argument(rules.terms[next], [&](TermId argument) {
      if (seen.insert(argument).second) open.push_back(argument);
    });
  }
  return false;
}

}  // namespace

bool may_be_atomic(const Candidates& candidates, const events::EventGraph& graph, LocationId location) {
  std::size_t updates = 0;
  for (const EventId w : candidates.writes[location]) {
    const Event& write = graph.events[w];
    if (!write.is_unconditional() || write.locations.size() != 1) return false;
    if (!write.is_rmw) continue;
    if (write.rmw_partner == events::kNoEvent || !graph.events[write.rmw_partner].is_unconditional()) return false;
    ++updates;
  }
  return updates > 1;
}

bool find_atomic_cells(Candidates& candidates, const events::EventGraph& graph, const Rules& rules, Bounds& bounds,
                       Context& context) {
  std::optional<AtomicityProof> proof;
  std::vector<LocationId> found;
  for (LocationId l = 0; l < candidates.writes.size(); ++l) {
    if (candidates.is_atomic[l] || !may_be_atomic(candidates, graph, l)) continue;
    if (!proof) proof.emplace(candidates, graph, rules, bounds, context);
    if (proof->succeeds(l)) found.push_back(l);
  }
  for (const LocationId l : found) candidates.make_atomic(graph, l);
  return !found.empty();
}

std::optional<UpdateOrder::Meaning> UpdateOrder::of(TermId term, LocationId location) {
  const auto [known, is_new] = known_.try_emplace({term, location});
  if (!is_new) return known->second;
  std::optional<Meaning> found = find(term, location);
  if (found && !found->is_within && !found->is_whole) found.reset();
  return known->second = found;
}

bool UpdateOrder::leads_forward(TermId term, LocationId location) {
  if (is_base(rules_, term, BaseRelation::ReadsFrom) || is_base(rules_, term, BaseRelation::Coherence)) return true;
  const auto is_forward = [&](TermId part) { return leads_forward(part, location); };
  const rules::Term& t = rules_.terms[term];
  if (const auto* op = std::get_if<rules::Union>(&t)) return is_forward(op->left) && is_forward(op->right);
  if (const auto* op = std::get_if<rules::Intersection>(&t); op && (is_forward(op->left) || is_forward(op->right))) {
    return true;
  }
  if (const auto* op = std::get_if<rules::Difference>(&t); op && is_forward(op->left)) return true;
  if (is_part_of(rules_, bounds_, term, BaseRelation::Coherence)) return true;
  events::Relation pairs = bounds_.of(term).may;
  if (const std::optional<Meaning> meaning = of(term, location); meaning && meaning->is_within) {
    for_each_pair(location, [&](EventId a, EventId b) {
      if (decides(*meaning, a, b)) pairs.erase(a, b);
    });
  }
  return leads_forward(pairs, location);
}

bool UpdateOrder::leads_forward(const events::Relation& pairs, LocationId location) const {
  const Candidates& candidates = bounds_.candidates();
  bool result = true;
  for_each_pair(location, [&](EventId a, EventId b) {
    if (!pairs.contains(a, b)) return;
    const EventId first = candidates.atomic_update[a];
    const EventId second = candidates.atomic_update[b];
    const bool is_forward = first == second ? graph_.events[a].is_read() && graph_.events[b].is_write()
                                            : !candidates.coherence.may.contains(second, first);
    result = result && is_forward;
  });
  return result;
}

template <typename Function>
void UpdateOrder::for_each_pair(LocationId location, const Function& f) const {
  std::vector<EventId> halves;
  for (const EventId write : bounds_.candidates().writes[location]) {
    if (bounds_.candidates().atomic_update[write] == events::kNoEvent) continue;
    halves.push_back(write);
    halves.push_back(graph_.events[write].rmw_partner);
  }
  for (const EventId a : halves) {
    context_.poll(halves.size() / 10);
    for (const EventId b : halves) f(a, b);
  }
}

bool UpdateOrder::decides(const Meaning& meaning, EventId a, EventId b) const {
  const Event& from = graph_.events[a];
  const Event& to = graph_.events[b];
  const std::vector<EventId>& updates = bounds_.candidates().atomic_update;
  if (updates[a] == events::kNoEvent || updates[b] == events::kNoEvent || from.locations != to.locations) return false;
  return (from.is_read() ? meaning.from_read : meaning.from_write) &&
         (to.is_read() ? meaning.to_read : meaning.to_write);
}

std::optional<UpdateOrder::Meaning> UpdateOrder::find(TermId term, LocationId location) {
  constexpr Meaning kFromReads = {
      .from_read = true, .to_write = true, .is_within = true, .is_whole = true, .has_own = true};
  if (is_base(rules_, term, BaseRelation::FromReads)) return kFromReads;
  const auto* closure = std::get_if<rules::TransitiveClosure>(&rules_.terms[term]);
  const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[term]);
  if (closure == nullptr && sequence == nullptr) return std::nullopt;
  if (is_recursive(rules_, term)) return std::nullopt;  // the parts of a recursive term are unknown at this point
  if (closure != nullptr) {
    if (is_communication(rules_, closure->argument)) {
      return Meaning{.from_read = true,
                     .from_write = true,
                     .to_read = true,
                     .to_write = true,
                     .is_within = true,
                     .is_whole = true,
                     .has_own = true};
    }
    for (const bool begins_with_update : {true, false}) {
      const std::optional<TermId> link = link_of_chain(closure->argument, begins_with_update);
      if (!link) continue;
      Meaning meaning = chain(*link, location);
      meaning.from_read = meaning.to_read = begins_with_update;
      meaning.from_write = meaning.to_write = !begins_with_update;
      return meaning;
    }
    return std::nullopt;
  }
  if (const auto* inverse = std::get_if<rules::Inverse>(&rules_.terms[sequence->left])) {
    if (!is_base(rules_, inverse->argument, BaseRelation::ReadsFrom)) return std::nullopt;
    if (!is_coherence_at(sequence->right, location)) return std::nullopt;
    return kFromReads;
  }
  const auto is_rest = [&](TermId optional, bool begins_with_update, TermId first) {
    const auto* any = std::get_if<rules::Optional>(&rules_.terms[optional]);
    if (any == nullptr) return false;
    const auto* closure = std::get_if<rules::TransitiveClosure>(&rules_.terms[any->argument]);
    return closure != nullptr && link_of_chain(closure->argument, begins_with_update) == first;
  };
  const bool goes_on = is_rest(sequence->right, true, sequence->left);
  if (!goes_on && !is_rest(sequence->left, false, sequence->right)) return std::nullopt;
  Meaning meaning = chain(goes_on ? sequence->left : sequence->right, location);
  meaning.from_write = meaning.to_read = true;
  return meaning;
}

/// Returns r if the argument has the form rmw ; r or r ; rmw.
std::optional<TermId> UpdateOrder::link_of_chain(TermId argument, bool begins_with_update) const {
  const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[argument]);
  if (sequence == nullptr) return std::nullopt;
  const TermId update = begins_with_update ? sequence->left : sequence->right;
  if (!is_base(rules_, update, BaseRelation::ReadModifyWritePair)) return std::nullopt;
  return begins_with_update ? sequence->right : sequence->left;
}

UpdateOrder::Meaning UpdateOrder::chain(TermId link, LocationId location) {
  return {.is_within = is_part_of(rules_, bounds_, link, BaseRelation::ReadsFrom),
          .is_whole = holds_for_links(link, location)};
}

/// Returns whether `link` contains each reads-from between two updates of the cell.
bool UpdateOrder::holds_for_links(TermId link, LocationId location) {
  const Candidates& candidates = bounds_.candidates();
  return std::ranges::all_of(candidates.writes[location], [&](EventId write) {
    if (candidates.atomic_update[write] == events::kNoEvent) return true;
    const EventId read = graph_.events[write].rmw_partner;
    return std::ranges::all_of(candidates.sources[read], [&](EventId source) {
      return candidates.atomic_update[source] == events::kNoEvent ||
             holds_with(rules_, bounds_, link, source, read, BaseRelation::ReadsFrom);
    });
  });
}

/// Returns whether `term` relates the writes of the cell exactly as coherence does.
bool UpdateOrder::is_coherence_at(TermId term, LocationId location) {
  if (is_base(rules_, term, BaseRelation::Coherence)) return true;
  if (!is_part_of(rules_, bounds_, term, BaseRelation::Coherence)) return false;
  const std::vector<EventId>& writes = bounds_.candidates().writes[location];
  const events::Relation& may = bounds_.candidates().coherence.may;
  return std::ranges::all_of(writes, [&](EventId a) {
    return std::ranges::all_of(writes, [&](EventId b) {
      return !may.contains(a, b) || holds_with(rules_, bounds_, term, a, b, BaseRelation::Coherence);
    });
  });
}

/// If coherence determines the term for updates of an atomic cell, sets their pairs in `bound` to coherence's bounds.
void UpdateOrder::refine(TermId term, Bound& bound) {
  const Candidates& candidates = bounds_.candidates();
  for (LocationId l = 0; l < candidates.is_atomic.size(); ++l) {
    if (!candidates.is_atomic[l]) continue;
    const std::optional<UpdateOrder::Meaning> meaning = of(term, l);
    if (!meaning) continue;
    for_each_pair(l, [&](EventId a, EventId b) {
      if (!decides(*meaning, a, b)) return;
      const EventId first = candidates.atomic_update[a];
      const EventId second = candidates.atomic_update[b];
      const bool is_own = meaning->has_own && graph_.events[a].is_read() && graph_.events[b].is_write();
      const bool may = first == second ? is_own : candidates.coherence.may.contains(first, second);
      const bool must = first == second ? is_own : candidates.coherence.must.contains(first, second);
      if (meaning->is_within && !may) bound.may.erase(a, b);
      if (meaning->is_within && !may) bound.must.erase(a, b);
      if (!meaning->is_whole || !must) return;
      bound.may.insert(a, b);
      bound.must.insert(a, b);
    });
  }
}

void drop_ordered_components(const events::EventGraph& graph, const Candidates& candidates, std::vector<Edge>& edges,
                             const std::function<bool(LocationId)>& leads_forward) {
  if (std::ranges::find(candidates.is_atomic, true) == candidates.is_atomic.end()) return;
  const Components components = strong_components(graph.size(), edges);
  std::vector<std::optional<LocationId>> cell(components.cyclic.size());
  std::vector<bool> is_ordered(components.cyclic.size(), true);
  for (EventId e = 0; e < graph.size(); ++e) {
    const std::size_t component = components.of[e];
    if (candidates.atomic_update[e] == events::kNoEvent) {
      is_ordered[component] = false;
      continue;
    }
    const LocationId location = graph.events[e].locations.front();
    is_ordered[component] = is_ordered[component] && cell[component].value_or(location) == location;
    cell[component] = location;
  }
  for (std::size_t c = 0; c < is_ordered.size(); ++c) {
    is_ordered[c] = is_ordered[c] && components.cyclic[c] && cell[c] && leads_forward(*cell[c]);
  }
  std::erase_if(edges, [&](const Edge& edge) {
    return components.of[edge.from] == components.of[edge.to] && is_ordered[components.of[edge.from]];
  });
}

}  // namespace ambit::smt
