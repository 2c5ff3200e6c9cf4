#include "model/smt/narrowing.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/rules/terms.h"
#include "model/smt/bounds.h"
#include "model/smt/certainty.h"

namespace ambit::smt {
namespace {

using events::EventId;
using events::EventSet;
using events::Relation;
using rules::TermId;
using rules::Test;

/// Each round propagates results over one more synchronisation. In realistic programs, more rounds have no effect.
constexpr int kMostRounds = 4;

bool row_meets(const EventSet& row, const Relation& relation, EventId at) {
  const std::uint64_t* other = relation.row(at);
  for (std::size_t w = 0; w < row.word_count(); ++w) {
    if ((row.words()[w] & other[w]) != 0) return true;
  }
  return false;
}

void add_row(EventSet& row, const Relation& relation, EventId from) {
  const std::uint64_t* other = relation.row(from);
  for (std::size_t w = 0; w < row.word_count(); ++w) row.words()[w] |= other[w];
}

/// Returns, for each term, whether the term contains rf or fr, grows with these relations, and has a form that
/// CertainRows supports.
std::vector<bool> terms_that_grow(const rules::Rules& rules) {
  std::vector<bool> grows(rules.terms.size(), false);
  for (TermId id = 0; id < rules.terms.size(); ++id) {
    const rules::Term& term = rules.terms[id];
    if (const auto* base = std::get_if<rules::BaseRelationTerm>(&term)) {
      grows[id] = base->relation == BaseRelation::ReadsFrom || base->relation == BaseRelation::FromReads;
    } else if (const auto* difference = std::get_if<rules::Difference>(&term)) {
      grows[id] = grows[difference->left];
    } else if (!std::holds_alternative<rules::Complement>(term)) {
      rules::for_each_argument(term, [&](TermId argument) { grows[id] = grows[id] || grows[argument]; });
    }
  }
  return grows;
}

/// The pairs that terms certainly contain under the assumption that a given read has a given source. The result may
/// lack some certain pairs.
class CertainRows {
 public:
  CertainRows(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds)
      : graph_(graph), rules_(rules), bounds_(bounds), grows_(terms_that_grow(rules)), nothing_(graph.size()) {
    for (auto& rows : known_) rows.resize(rules.terms.size());
  }

  void assume(EventId source, EventId read) {
    source_ = source;
    read_ = read;
    ++assumption_;
    alive_ = nothing_;
    add_row(alive_, bounds_.implied(), source);
    add_row(alive_, bounds_.implied(), read);
  }

  /// Returns whether `term` may contain more pairs because of the assumption.
  bool grows(TermId term) const { return grows_[term]; }

  /// Returns the events to which `term` certainly relates `from`, which is the source or the read of the assumption.
  /// All events of the result are executed.
  const EventSet& row(TermId term, EventId from) {
    Row& known = known_[from == source_ ? 0 : 1][term];
    if (known.assumption == assumption_) return known.events;
    known.events = nothing_;
    add_row(known.events, bounds_.of(term).must, from);
    if (grows_[term]) extend(term, from, known.events);
    known.events &= alive_;
    known.assumption = assumption_;
    return known.events;
  }

  /// Returns whether `term` certainly relates some event of `row` to `to`.
  bool closes(const EventSet& row, TermId term, EventId to) { return row_meets(row, into(term), to); }

  /// Returns the inverse of the relation that consists of the certain pairs of `term`.
  const Relation& into(TermId term) {
    const auto known = inverses_.find(term);
    if (known != inverses_.end()) return known->second;
    return inverses_.emplace(term, events::inverse(bounds_.of(term).must)).first->second;
  }
  EventId source() const { return source_; }
  EventId read() const { return read_; }

 private:
  struct Row {
    std::uint64_t assumption = 0;
    EventSet events;
  };

  void extend(TermId term, EventId from, EventSet& found) {
    const rules::Term& t = rules_.terms[term];
    if (const auto* base = std::get_if<rules::BaseRelationTerm>(&t)) return extend_base(base->relation, from, found);
    if (const auto* op = std::get_if<rules::Union>(&t)) {
      found |= row(op->left, from);
      found |= row(op->right, from);
    } else if (const auto* both = std::get_if<rules::Intersection>(&t)) {
      found |= common(*both, from);
    } else if (const auto* difference = std::get_if<rules::Difference>(&t)) {
      EventSet left = row(difference->left, from);
      EventSet right(graph_.size());
      add_row(right, bounds_.of(difference->right).may, from);
      left -= right;
      found |= left;
    } else if (const auto* sequence = std::get_if<rules::Sequence>(&t)) {
      const EventSet& middles = row(sequence->left, from);
      middles.for_each([&](EventId middle) { step(sequence->right, middle, found); });
    } else if (const auto* closure = std::get_if<rules::TransitiveClosure>(&t)) {
      const EventSet& first = row(closure->argument, from);
      found |= first;
      first.for_each([&](EventId middle) { add_row(found, bounds_.of(term).must, middle); });
    } else if (const auto* optional = std::get_if<rules::Optional>(&t)) {
      found |= row(optional->argument, from);
    } else if (const auto* inverse = std::get_if<rules::Inverse>(&t)) {
      const auto* of = std::get_if<rules::BaseRelationTerm>(&rules_.terms[inverse->argument]);
      if (of != nullptr && of->relation == BaseRelation::ReadsFrom && from == read_) found.insert(source_);
    }
  }

  void extend_base(BaseRelation relation, EventId from, EventSet& found) const {
    if (relation == BaseRelation::ReadsFrom && from == source_) found.insert(read_);
    if (relation == BaseRelation::FromReads && from == read_) {
      add_row(found, bounds_.candidates().coherence.must, source_);
    }
  }

  /// Adds to `found` the events to which `term` relates `middle`. Only the rows of the assumption's two events can
  /// grow.
  void step(TermId term, EventId middle, EventSet& found) {
    if (grows_[term] && (middle == source_ || middle == read_)) {
      found |= row(term, middle);
    } else {
      add_row(found, bounds_.of(term).must, middle);
    }
  }

  /// For rmw & (a ; b), checks only the few pairs of rmw instead of all pairs of a ; b.
  EventSet common(const rules::Intersection& both, EventId from) {
    const bool left_is_long = std::holds_alternative<rules::Sequence>(rules_.terms[both.left]);
    const TermId shorter = left_is_long ? both.right : both.left;
    const TermId longer = left_is_long ? both.left : both.right;
    EventSet result = row(shorter, from);
    if (result.empty()) return result;
    const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[longer]);
    if (sequence == nullptr) {
      result &= row(longer, from);
      return result;
    }
    const EventSet& middles = row(sequence->left, from);
    EventSet kept(graph_.size());
    result.for_each([&](EventId to) {
      if (bounds_.of(longer).must.contains(from, to) || closes(middles, sequence->right, to)) kept.insert(to);
    });
    return kept;
  }

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  Bounds& bounds_;
  std::vector<bool> grows_;
  std::uint64_t assumption_ = 0;  ///< the number of the assumption
  EventId source_ = events::kNoEvent;
  EventId read_ = events::kNoEvent;
  EventSet nothing_;
  EventSet alive_;                         ///< the events that are executed if the source and the read are executed
  std::array<std::vector<Row>, 2> known_;  ///< known rows of the source and of the read, for each term
  std::map<TermId, Relation> inverses_;
};

/// One round: uses the exclusions of earlier rounds to find further choices that the axioms exclude.
class Round {
 public:
  Round(Candidates& candidates, const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds,
        Context& context, bool is_first)
      : candidates_(candidates),
        graph_(graph),
        rules_(rules),
        context_(context),
        bounds_(bounds),
        rows_(graph, rules, bounds),
        parts_(parts_of_axioms(rules, bounds)),
        is_first_(is_first) {
    for (LocationId l = 0; l < candidates.writes.size(); ++l) {
      may_be_atomic_.push_back(may_be_atomic(candidates, graph, l));
    }
  }

  /// Returns whether another round is useful: this round found an exclusion, or left some work undone.
  bool run() {
    find_orders();
    find_sources();
    if (orders_.empty() && excluded_.empty()) return leaves_some_;
    for (const auto& [older, younger] : orders_) candidates_.put_before(older, younger);
    for (const auto& [write, read] : excluded_) candidates_.exclude_source(write, read);
    candidates_.settle(bounds_.implied());
    return true;
  }

 private:
  // ---- coherence ----

  /// Finds pairs of writes for which one order violates an axiom.
  void find_orders() {
    for (const std::vector<EventId>& writes : candidates_.writes) {
      for (const EventId a : writes) {
        context_.poll(writes.size());
        for (const EventId b : writes) {
          if (!is_open(a, b)) continue;
          const bool must =
              std::ranges::any_of(parts_, [&](const AxiomPart& part) { return forbids_order(part, b, a); });
          if (must) orders_.emplace_back(a, b);
        }
      }
    }
  }

  bool is_open(EventId a, EventId b) const {
    const Bound& coherence = candidates_.coherence;
    return a != b && graph_.events[a].locations.size() == 1 && graph_.events[b].locations.size() == 1 &&
           coherence.may.contains(a, b) && coherence.may.contains(b, a);
  }

  /// Returns whether this part of an axiom is violated if `a` precedes `b` in coherence and both are executed.
  bool forbids_order(const AxiomPart& part, EventId a, EventId b) {
    if (part.test == Test::Acyclic) return part.into.contains(a, b) && holds_with_order(part.term, a, b);
    if (part.test == Test::Empty) return requires_order(part.term, b, a);
    const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[part.term]);
    if (sequence == nullptr) return false;
    return (bounds_.of(sequence->left).must.contains(b, a) && holds_with_order(sequence->right, a, b)) ||
           (bounds_.of(sequence->right).must.contains(b, a) && holds_with_order(sequence->left, a, b));
  }

  /// Returns whether an axiom `empty r \ co` requires that `a` precedes `b`, because r certainly contains this pair.
  bool requires_order(TermId term, EventId a, EventId b) {
    const auto* difference = std::get_if<rules::Difference>(&rules_.terms[term]);
    if (difference == nullptr) return false;
    const auto* base = std::get_if<rules::BaseRelationTerm>(&rules_.terms[difference->right]);
    return base != nullptr && base->relation == BaseRelation::Coherence &&
           bounds_.of(difference->left).must.contains(a, b);
  }

  bool holds_with_order(TermId term, EventId a, EventId b) {
    return holds_with(rules_, bounds_, term, a, b, BaseRelation::Coherence);
  }

  // ---- reads-from ----

  void find_sources() {
    for (EventId read = 0; read < graph_.size(); ++read) {
      // For an update of an atomic cell, the source depends only on the order of writes.
      if (candidates_.sources[read].size() < 2 || candidates_.atomic_update[read] != events::kNoEvent) continue;
      for (const EventId write : candidates_.sources[read]) {
        if (is_first_ && graph_.events[write].is_rmw && reads_for_update(read)) {
          leaves_some_ = true;
          continue;
        }
        context_.poll(graph_.size() / 10 + 1);
        rows_.assume(write, read);
        if (std::ranges::any_of(parts_, [&](const AxiomPart& part) { return fails(part); })) {
          excluded_.emplace_back(write, read);
        }
      }
    }
  }

  /// Returns whether the exclusion of further sources may make the read part of an update of an atomic cell.
  bool reads_for_update(EventId read) const {
    const events::Event& event = graph_.events[read];
    return event.is_rmw && event.locations.size() == 1 && may_be_atomic_[event.locations.front()];
  }

  /// Returns whether this part of an axiom is violated under the assumption of `rows_`.
  bool fails(const AxiomPart& part) {
    if (!rows_.grows(part.term)) return false;
    for (const EventId from : {rows_.read(), rows_.source()}) {
      switch (part.test) {
        case Test::Acyclic:
          if (row_meets(rows_.row(part.term, from), part.into, from) || rows_.row(part.term, from).contains(from)) {
            return true;
          }
          break;
        case Test::Empty:
          if (!rows_.row(part.term, from).empty()) return true;
          break;
        case Test::Irreflexive:
          if (has_loop(part.term, from)) return true;
          break;
      }
    }
    return false;
  }

  /// Returns whether the relation relates an event to itself along a path through `from`.
  bool has_loop(TermId term, EventId from) {
    const auto* sequence = std::get_if<rules::Sequence>(&rules_.terms[term]);
    if (sequence == nullptr) return rows_.row(term, from).contains(from);
    return rows_.closes(rows_.row(sequence->left, from), sequence->right, from) ||
           rows_.closes(rows_.row(sequence->right, from), sequence->left, from);
  }

  Candidates& candidates_;
  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  Context& context_;
  Bounds& bounds_;
  CertainRows rows_;
  std::vector<AxiomPart> parts_;
  bool is_first_;
  bool leaves_some_ = false;
  std::vector<bool> may_be_atomic_;                    ///< for each location, whether its cell may become atomic
  std::vector<std::pair<EventId, EventId>> orders_;    ///< pairs that are in this order in coherence
  std::vector<std::pair<EventId, EventId>> excluded_;  ///< excluded pairs of a write and a read
};

}  // namespace

std::unique_ptr<RefinedBounds> narrow(Candidates& candidates, const events::EventGraph& graph,
                                      const rules::Rules& rules, Context& context) {
  auto refined = std::make_unique<RefinedBounds>(graph, rules, candidates, context);
  candidates.settle(refined->bounds.implied());
  for (int round = 0;; ++round) {
    const bool found = find_atomic_cells(candidates, graph, rules, refined->bounds, context);
    if (found) candidates.settle(refined->bounds.implied());
    const bool goes_on =
        !found && round < kMostRounds && Round(candidates, graph, rules, refined->bounds, context, round == 0).run();
    if (!found && !goes_on) return refined;
    refined = std::make_unique<RefinedBounds>(graph, rules, candidates, context);
  }
}

}  // namespace ambit::smt
