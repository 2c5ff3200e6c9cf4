#include "model/smt/encoder.h"

#include "base/assert.h"
#include "model/rules/terms.h"

namespace ambit::smt {

using events::EventId;
using rules::TermId;

namespace {

/// Returns, for each term, whether the term contains recursion. A recursive term may have different literals for
/// Absence and Presence.
std::vector<bool> recursive_terms(const rules::Rules& rules) {
  std::vector<bool> result(rules.terms.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (TermId id = 0; id < rules.terms.size(); ++id) {
      if (result[id]) continue;
      bool recursive = std::holds_alternative<rules::TransitiveClosure>(rules.terms[id]) ||
                       std::holds_alternative<rules::FixpointTerm>(rules.terms[id]);
      const auto* order = std::get_if<rules::OrderTerm>(&rules.terms[id]);
      recursive = recursive || (order != nullptr && result[rules.orders[order->order].set]);
      rules::for_each_argument(rules.terms[id], [&](TermId argument) { recursive = recursive || result[argument]; });
      changed = changed || recursive;
      result[id] = recursive;
    }
  }
  return result;
}

}  // namespace

Encoder::Encoder(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, UpdateOrder& updates,
                 Memory& memory, Values& values, Literals& literals, bool axioms_hold)
    : graph_(graph),
      rules_(rules),
      bounds_(bounds),
      updates_(updates),
      memory_(memory),
      values_(values),
      literals_(literals),
      axioms_hold_(axioms_hold),
      recursive_(recursive_terms(rules)),
      orders_(rules.orders.size(), TotalOrder(literals, graph.size())),
      order_constrained_(rules.orders.size(), false) {}

void Encoder::settle_order_sets() {
  for (const rules::OrderDeclaration& order : rules_.orders) {
    if (!recursive_[order.set]) continue;
    for (EventId e = 0; e < graph_.size(); ++e) {
      const Lit possible = literal(order.set, e, e, Use::Absence);
      literals_.require({-possible, literal(order.set, e, e, Use::Presence)});
    }
  }
}

std::uint64_t Encoder::key(TermId term, EventId a, EventId b, Use use) const {
  const std::uint64_t n = graph_.size();
  const std::uint64_t polarity = recursive_[term] && use == Use::Presence ? 1 : 0;
  return ((term * n + a) * n + b) * 2 + polarity;
}

Lit Encoder::literal(TermId term, EventId a, EventId b, Use use) {
  const Bound& bound = bounds_.of(term);
  if (!bound.may.contains(a, b)) return kFalse;
  if (bound.must.contains(a, b)) return values_.both_executed(a, b);
  LitMap& memo = head_ && recursive_[term] ? local_memo_ : memo_;
  const std::uint64_t k = key(term, a, b, use);
  if (const Lit known = memo.find(k)) return known;
  const Lit made = encode(term, a, b, use);
  memo.insert(k, made);
  return made;
}

struct Encoder::Visitor {
  Encoder& e;
  TermId term;
  EventId a;
  EventId b;
  Use use;

  Lit operator()(const rules::BaseSetTerm& op) const {
    std::vector<Lit> ways;
    for (const auto& member : e.graph_.set(op.set).sometimes) {
      if (member.event == a) ways.push_back(e.values_.truth(member.condition));
    }
    return e.literals_.all_of({e.values_.executed(a), e.literals_.any_of(ways)});
  }
  Lit operator()(const rules::BaseRelationTerm& op) const { return e.base_pair(op.relation, a, b); }
  Lit operator()(const rules::OrderTerm& op) const { return e.order_pair(op.order, a, b, use); }
  Lit operator()(const rules::FixpointTerm&) const { return e.atom(term, a, b, use); }
  Lit operator()(const rules::Empty&) const { return kFalse; }
  Lit operator()(const rules::Union& op) const {
    return e.literals_.any_of({e.literal(op.left, a, b, use), e.literal(op.right, a, b, use)});
  }
  Lit operator()(const rules::Intersection& op) const {
    const Lit left = e.literal(op.left, a, b, use);
    if (left == kFalse) return kFalse;
    return e.literals_.all_of({left, e.literal(op.right, a, b, use)});
  }
  Lit operator()(const rules::Difference& op) const {
    const Lit left = e.literal(op.left, a, b, use);
    if (left == kFalse) return kFalse;
    return e.literals_.all_of({left, -e.literal(op.right, a, b, opposite(use))});
  }
  Lit operator()(const rules::Complement& op) const {
    return e.literals_.all_of({e.values_.both_executed(a, b), -e.literal(op.argument, a, b, opposite(use))});
  }
  Lit operator()(const rules::Sequence& op) const {
    const events::Relation& left = e.bounds_.of(op.left).may;
    const events::Relation& right = e.bounds_.of(op.right).may;
    std::vector<Lit> ways;
    for (EventId middle = 0; middle < left.size(); ++middle) {
      if (!left.contains(a, middle) || !right.contains(middle, b)) continue;
      const Lit first = e.literal(op.left, a, middle, use);
      if (first == kFalse) continue;
      const Lit way = e.literals_.all_of({first, e.literal(op.right, middle, b, use)});
      if (way != kFalse) ways.push_back(way);
    }
    return e.literals_.any_of(ways);
  }
  Lit operator()(const rules::Inverse& op) const { return e.literal(op.argument, b, a, use); }
  Lit operator()(const rules::TransitiveClosure&) const { return e.closure_pair(term, a, b, use); }
  Lit operator()(const rules::Optional& op) const { return e.literal(op.argument, a, b, use); }
  Lit operator()(const rules::SetIdentity& op) const { return e.literal(op.set, a, b, use); }
  Lit operator()(const rules::Product& op) const {
    return e.literals_.all_of({e.literal(op.left, a, a, use), e.literal(op.right, b, b, use)});
  }
  Lit operator()(const rules::Domain& op) const {
    const events::Relation& may = e.bounds_.of(op.argument).may;
    std::vector<Lit> ways;
    for (EventId other = 0; other < may.size(); ++other) {
      if (may.contains(a, other)) ways.push_back(e.literal(op.argument, a, other, use));
    }
    return e.literals_.any_of(ways);
  }
  Lit operator()(const rules::Range& op) const {
    const events::Relation& may = e.bounds_.of(op.argument).may;
    std::vector<Lit> ways;
    for (EventId other = 0; other < may.size(); ++other) {
      if (may.contains(other, a)) ways.push_back(e.literal(op.argument, other, a, use));
    }
    return e.literals_.any_of(ways);
  }
};

/// If the order of the updates of an atomic cell determines the pair, returns an exact literal.
std::optional<Lit> Encoder::update_pair(TermId term, EventId a, EventId b) {
  const std::vector<EventId>& updates = bounds_.candidates().atomic_update;
  if (updates[a] == events::kNoEvent || updates[b] == events::kNoEvent) return std::nullopt;
  const auto meaning = updates_.of(term, graph_.events[a].locations.front());
  if (!meaning || !meaning->is_exact() || !updates_.decides(*meaning, a, b)) return std::nullopt;
  if (updates[a] != updates[b]) return memory_.coherence(updates[a], updates[b]);
  return meaning->has_own && a != b && graph_.events[a].is_read() ? kTrue : kFalse;
}

Lit Encoder::encode(TermId term, EventId a, EventId b, Use use) {
  if (const std::optional<Lit> known = update_pair(term, a, b)) return *known;
  return std::visit(Visitor{*this, term, a, b, use}, rules_.terms[term]);
}

Lit Encoder::base_pair(BaseRelation relation, EventId a, EventId b) {
  if (relation == BaseRelation::ReadsFrom) return memory_.reads_from(a, b);
  if (relation == BaseRelation::Coherence) return memory_.coherence(a, b);
  if (relation == BaseRelation::FromReads) return memory_.from_reads(a, b);
  std::vector<Lit> ways;
  for (const auto& pair : graph_.relation(relation).sometimes) {
    if (pair.from == a && pair.to == b) ways.push_back(values_.truth(pair.condition));
  }
  return literals_.all_of({values_.both_executed(a, b), literals_.any_of(ways)});
}

Lit Encoder::order_pair(std::uint32_t order, EventId a, EventId b, Use use) {
  const TermId set = rules_.orders[order].set;
  return literals_.all_of({orders_[order].before(a, b), literal(set, a, a, use), literal(set, b, b, use)});
}

Lit Encoder::atom(TermId term, EventId a, EventId b, Use use) {
  const std::uint64_t k = key(term, a, b, use);
  Lit index = atom_index_.find(k);
  if (index == 0) {
    atoms_.push_back({term, a, b, use, literals_.fresh()});
    index = static_cast<Lit>(atoms_.size());
    atom_index_.insert(k, index);
  }
  const auto number = static_cast<std::uint32_t>(index - 1);
  const Lit variable = atoms_[number].variable;
  if (!head_ || use == Use::Absence) return variable;
  const Lit premise = literals_.fresh();
  literals_.require({-premise, variable});
  support_.push_back({*head_, number, premise});
  return premise;
}

void Encoder::define(std::uint32_t number) {
  const Atom a = atoms_[number];
  if (a.use == Use::Presence) {
    head_ = number;
    local_memo_.clear();
    local_reached_.clear();
  }
  const auto* fixpoint = std::get_if<rules::FixpointTerm>(&rules_.terms[a.term]);
  const Lit body = fixpoint != nullptr ? literal(rules_.fixpoints[fixpoint->fixpoint].body, a.from, a.to, a.use)
                                       : reached_now(a.term, a.from, a.to, a.use);
  head_.reset();
  if (a.use == Use::Absence) {
    literals_.require({-body, a.variable});
  } else {
    literals_.require({-a.variable, body});
  }
}

void Encoder::finish() {
  for (; defined_ < atoms_.size(); ++defined_) define(defined_);
  require_acyclic(literals_, atoms_.size(), support_);
  for (TotalOrder& order : orders_) order.finish();
}

}  // namespace ambit::smt
