#include "model/explain/derivation.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "model/explain/race_rules.h"

namespace ambit::explain {
namespace {

using events::EventId;
using events::kNoEvent;
using events::Relation;
using rules::TermId;

constexpr double kNever = std::numeric_limits<double>::infinity();

Chain reversed(Chain chain) {
  std::reverse(chain.begin(), chain.end());
  for (Link& link : chain) {
    std::swap(link.from, link.to);
    link.is_reversed = !link.is_reversed;
    link.parts = reversed(std::move(link.parts));
  }
  return chain;
}

Chain joined(Chain first, Chain second) {
  first.insert(first.end(), std::make_move_iterator(second.begin()), std::make_move_iterator(second.end()));
  return first;
}

}  // namespace

std::size_t Derivation::PairHash::operator()(const Pair& pair) const {
  const auto [term, from, to] = pair;
  return (static_cast<std::size_t>(term) * 2654435761U + from) * 40503U + to;
}

Derivation::Derivation(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                       Context& context)
    : graph_(graph),
      rules_(rules),
      execution_(execution),
      context_(context),
      evaluator_(graph, rules, execution, &context),
      conditions_(find_conditions(rules)),
      stages_(std::make_shared<std::map<std::uint32_t, Stages>>()) {
  for (const rules::Definition& definition : rules.definitions) names_.try_emplace(definition.term, &definition);
  for (const rules::Definition& call : rules.calls) names_.try_emplace(call.term, &call);
}

Derivation::Derivation(const Derivation& outer, std::uint32_t group, std::size_t stage)
    : graph_(outer.graph_),
      rules_(outer.rules_),
      execution_(outer.execution_),
      context_(outer.context_),
      evaluator_(outer.graph_, outer.rules_, outer.execution_, &outer.context_),
      conditions_(outer.conditions_),
      names_(outer.names_),
      stages_(outer.stages_) {
  std::size_t member = 0;
  for (const rules::Fixpoint& fixpoint : rules_.fixpoints) {
    if (fixpoint.group == group) evaluator_.fix(fixpoint.variable, stages_->at(group)[stage][member++]);
  }
}

double Derivation::length(TermId term, EventId from, EventId to) {
  const Pair key{term, from, to};
  if (const auto known = lengths_.find(key); known != lengths_.end()) return known->second;
  context_.poll();
  const double result = measure(term, from, to);
  lengths_[key] = result;
  return result;
}

TermId Derivation::main_side(const rules::Intersection& op, EventId from, EventId to) {
  if (is_condition(op.left) != is_condition(op.right)) return is_condition(op.left) ? op.right : op.left;
  // Take the longer chain, which is more informative: for rmw & (fr ; co), take fr ; co.
  return length(op.right, from, to) > length(op.left, from, to) ? op.right : op.left;
}

EventId Derivation::middle(const rules::Sequence& op, EventId from, EventId to) {
  const Relation& left = value(op.left);
  const Relation& right = value(op.right);
  EventId best = kNoEvent;
  double shortest = kNever;
  for (EventId e = 0; e < graph_.size(); ++e) {
    if (!left.contains(from, e) || !right.contains(e, to)) continue;
    const double total = length(op.left, from, e) + length(op.right, e, to);
    if (total < shortest) {
      shortest = total;
      best = e;
    }
  }
  AMBIT_ASSERT(best != kNoEvent);
  return best;
}

const Derivation::Ways& Derivation::ways(TermId argument, EventId from) {
  const std::pair key(argument, from);
  if (const auto known = ways_.find(key); known != ways_.end()) return known->second;
  Ways ways{std::vector<double>(graph_.size(), kNever), std::vector<EventId>(graph_.size(), kNoEvent)};
  // Dijkstra's algorithm. A path from `from` to itself has at least one step.
  std::vector<bool> done(graph_.size(), false);
  EventId at = from;
  double so_far = 0;
  const Relation pairs = value(argument);
  while (at != kNoEvent) {
    for (EventId next = 0; next < graph_.size(); ++next) {
      if (!pairs.contains(at, next) || done[next]) continue;
      const double total = so_far + length(argument, at, next);
      if (total >= ways.length[next]) continue;
      ways.length[next] = total;
      ways.before[next] = at;
    }
    at = kNoEvent;
    for (EventId e = 0; e < graph_.size(); ++e) {
      if (!done[e] && ways.length[e] < kNever && (at == kNoEvent || ways.length[e] < ways.length[at])) at = e;
    }
    if (at == kNoEvent) break;
    done[at] = true;
    so_far = ways.length[at];
  }
  return ways_.emplace(key, std::move(ways)).first->second;
}

std::pair<std::size_t, Derivation*> Derivation::before_stage(const rules::Fixpoint& fixpoint, EventId from,
                                                             EventId to) {
  const std::uint32_t group = fixpoint.group;
  if (!stages_->contains(group)) {
    (*stages_)[group] = eval::TermEvaluator(graph_, rules_, execution_, &context_).stages(group);
  }
  const Stages& stages = stages_->at(group);
  std::size_t member = 0;
  for (const rules::Fixpoint& other : rules_.fixpoints) {
    if (other.variable == fixpoint.variable) break;
    if (other.group == group) ++member;
  }
  std::size_t stage = 0;
  while (stage < stages.size() && !stages[stage][member].contains(from, to)) ++stage;
  AMBIT_ASSERT(stage > 0 && stage < stages.size());
  auto& inner = inner_[{group, stage - 1}];
  if (!inner) inner.reset(new Derivation(*this, group, stage - 1));
  return {stage, inner.get()};
}

double Derivation::measure(TermId term, EventId from, EventId to) {
  if (is_condition(term)) return from == to ? 0 : 1;
  return std::visit(
      [&](const auto& op) -> double {
        using Operator = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Operator, rules::Union>) {
          const double left = has(op.left, from, to) ? length(op.left, from, to) : kNever;
          const double right = has(op.right, from, to) ? length(op.right, from, to) : kNever;
          return std::min(left, right);
        } else if constexpr (std::is_same_v<Operator, rules::Intersection>) {
          return length(main_side(op, from, to), from, to);
        } else if constexpr (std::is_same_v<Operator, rules::Difference>) {
          return length(op.left, from, to);
        } else if constexpr (std::is_same_v<Operator, rules::Sequence>) {
          const EventId by = middle(op, from, to);
          return length(op.left, from, by) + length(op.right, by, to);
        } else if constexpr (std::is_same_v<Operator, rules::Inverse>) {
          return length(op.argument, to, from);
        } else if constexpr (std::is_same_v<Operator, rules::TransitiveClosure>) {
          return ways(op.argument, from).length[to];
        } else if constexpr (std::is_same_v<Operator, rules::Optional>) {
          return from == to ? 0 : length(op.argument, from, to);
        } else if constexpr (std::is_same_v<Operator, rules::FixpointTerm>) {
          const rules::Fixpoint& fixpoint = rules_.fixpoints[op.fixpoint];
          const auto [stage, inner] = before_stage(fixpoint, from, to);
          return inner->length(fixpoint.body, from, to);
        } else {
          return std::is_same_v<Operator, rules::OrderTerm> ? kOrderLength : 1;
        }
      },
      rules_.terms[term]);
}

Link Derivation::leaf(TermId term, Link::Kind kind, EventId from, EventId to) const {
  Link link;
  link.from = from;
  link.to = to;
  link.kind = kind;
  link.name = rules::to_string(rules_, term);
  if (const auto* base = std::get_if<rules::BaseRelationTerm>(&rules_.terms[term])) link.base = base->relation;
  const rules::Definition* defined = definition(term);
  if (defined != nullptr && kind == Link::Kind::Condition) link.phrase = defined->phrase;
  return link;
}

const rules::Definition* Derivation::definition(TermId term) const {
  const auto known = names_.find(term);
  return known == names_.end() ? nullptr : known->second;
}

bool Derivation::takes_left(const rules::Union& op, EventId from, EventId to) {
  if (!has(op.left, from, to)) return false;
  return !has(op.right, from, to) || length(op.left, from, to) <= length(op.right, from, to);
}

bool Derivation::is_narrower(TermId term, EventId from, EventId to) {
  const auto* either = std::get_if<rules::Union>(&rules_.terms[term]);
  if (either == nullptr) {
    const rules::Term& op = rules_.terms[term];
    return std::holds_alternative<rules::Sequence>(op) || std::holds_alternative<rules::Intersection>(op) ||
           std::holds_alternative<rules::Difference>(op);
  }
  const TermId taken = takes_left(*either, from, to) ? either->left : either->right;
  return definition(taken) == nullptr && is_narrower(taken, from, to);
}

void Derivation::add_properties(TermId term, EventId from, EventId to, Link& link) {
  if (!has(term, from, to)) return;
  const rules::Definition* defined = definition(term);
  if (defined != nullptr && !defined->phrase.empty()) {
    const bool is_listed = std::any_of(link.properties.begin(), link.properties.end(),
                                       [&](const Link::Property& other) { return other.phrase == defined->phrase; });
    if (!is_listed) link.properties.push_back({defined->name, defined->phrase});
    return;
  }
  if (const auto* both = std::get_if<rules::Intersection>(&rules_.terms[term])) {
    add_properties(both->left, from, to, link);
    add_properties(both->right, from, to, link);
  } else if (const auto* either = std::get_if<rules::Union>(&rules_.terms[term])) {
    add_properties(has(either->left, from, to) ? either->left : either->right, from, to, link);
  } else if (const auto* difference = std::get_if<rules::Difference>(&rules_.terms[term])) {
    add_properties(difference->left, from, to, link);
  }
}

Chain Derivation::why(TermId term, EventId from, EventId to) {
  AMBIT_ASSERT(has(term, from, to));
  Chain chain = walk(term, from, to);
  const rules::Definition* defined = definition(term);
  if (defined == nullptr) return chain;
  const bool is_itself =
      chain.size() == 1 && chain.front().kind != Link::Kind::Named && chain.front().name == defined->name;
  if (is_itself || (chain.empty() && defined->phrase.empty())) return chain;
  Link link;
  link.from = from;
  link.to = to;
  link.kind = Link::Kind::Named;
  if (chain.size() == 1 && chain.front().kind == Link::Kind::Named && chain.front().name.empty()) {
    link = std::move(chain.front());  // the named link replaces the unnamed group, and takes over its parts
  } else {
    link.parts = std::move(chain);
  }
  link.name = defined->name;
  link.phrase = defined->phrase;
  link.is_narrower = is_narrower(term, from, to);
  return {std::move(link)};
}

Chain Derivation::with_properties(Chain chain, TermId condition, EventId from, EventId to) {
  if (!is_condition(condition) || chain.empty()) return chain;
  Link group;
  group.from = from;
  group.to = to;
  group.kind = Link::Kind::Named;
  add_properties(condition, from, to, group);
  if (group.properties.empty()) return chain;
  group.parts = std::move(chain);
  return {std::move(group)};
}

Chain Derivation::walk(TermId term, EventId from, EventId to) {
  if (is_condition(term)) {
    if (from == to) return {};
    return {leaf(term, Link::Kind::Condition, from, to)};
  }
  return std::visit(
      [&](const auto& op) -> Chain {
        using Operator = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Operator, rules::Union>) {
          return why(takes_left(op, from, to) ? op.left : op.right, from, to);
        } else if constexpr (std::is_same_v<Operator, rules::Intersection>) {
          const TermId main = main_side(op, from, to);
          return with_properties(why(main, from, to), main == op.left ? op.right : op.left, from, to);
        } else if constexpr (std::is_same_v<Operator, rules::Difference>) {
          return why(op.left, from, to);
        } else if constexpr (std::is_same_v<Operator, rules::Sequence>) {
          const EventId by = middle(op, from, to);
          return joined(why(op.left, from, by), why(op.right, by, to));
        } else if constexpr (std::is_same_v<Operator, rules::Inverse>) {
          return reversed(why(op.argument, to, from));
        } else if constexpr (std::is_same_v<Operator, rules::TransitiveClosure>) {
          Chain chain;
          const Ways way = ways(op.argument, from);
          EventId at = to;
          do {
            chain = joined(why(op.argument, way.before[at], at), std::move(chain));
            at = way.before[at];
          } while (at != from);
          return chain;
        } else if constexpr (std::is_same_v<Operator, rules::Optional>) {
          return from == to ? Chain{} : why(op.argument, from, to);
        } else if constexpr (std::is_same_v<Operator, rules::FixpointTerm>) {
          const rules::Fixpoint& fixpoint = rules_.fixpoints[op.fixpoint];
          return before_stage(fixpoint, from, to).second->why(fixpoint.body, from, to);
        } else {
          const bool is_order = std::is_same_v<Operator, rules::OrderTerm>;
          return {leaf(term, is_order ? Link::Kind::Order : Link::Kind::Base, from, to)};
        }
      },
      rules_.terms[term]);
}

Chain Derivation::cycle(TermId term) {
  const std::vector<EventId> events = events::find_cycle(value(term));
  Chain chain;
  for (std::size_t i = 0; i < events.size(); ++i) {
    chain = joined(std::move(chain), why(term, events[i], events[(i + 1) % events.size()]));
  }
  return chain;
}

}  // namespace ambit::explain
