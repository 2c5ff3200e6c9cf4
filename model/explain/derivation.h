#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/context.h"
#include "model/eval/term_evaluator.h"
#include "model/explain/chain.h"

namespace ambit::explain {

/// Explains why a term of a model relates two events of an execution. The explanation is the shortest chain of base
/// relations between the events that satisfies the term's definition. A step of an order that the execution chooses
/// counts as kOrderLength other steps, because reads are better explanations. A condition on one side of `&` or `\`
/// ("same location", "scopes that include each other") is checked but is not a step. If the model has a phrase for the
/// condition, the phrase becomes a property of the link. All references must outlive the derivation. All functions
/// throw Stopped when a limit of the context is reached.
class Derivation {
 public:
  static constexpr double kOrderLength = 8;

  Derivation(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
             Context& context);

  const events::Relation& value(rules::TermId term) { return evaluator_.value(term); }

  /// Returns the reason why `term` relates `from` to `to`. The term must relate these events.
  Chain why(rules::TermId term, events::EventId from, events::EventId to);
  /// Returns the number of base relations in the chain that why() returns; 0 only if `from` equals `to`.
  double length(rules::TermId term, events::EventId from, events::EventId to);

  /// Returns a shortest cycle of the term, as a chain that ends where it begins; empty if the term is acyclic.
  Chain cycle(rules::TermId term);

 private:
  using Pair = std::tuple<rules::TermId, events::EventId, events::EventId>;
  struct PairHash {
    std::size_t operator()(const Pair& pair) const;
  };
  /// Shortest paths from one event along the pairs of a relation.
  struct Ways {
    std::vector<double> length;
    std::vector<events::EventId> before;
  };

  Derivation(const Derivation& outer, std::uint32_t group, std::size_t stage);

  double measure(rules::TermId term, events::EventId from, events::EventId to);
  Chain walk(rules::TermId term, events::EventId from, events::EventId to);
  /// Returns whether the definition of `term` requires more than the steps of the chain.
  bool is_narrower(rules::TermId term, events::EventId from, events::EventId to);
  /// Adds the phrases of those conditions in `term` that are true for the pair.
  void add_properties(rules::TermId term, events::EventId from, events::EventId to, Link& link);
  /// Returns the chain as one link with the properties of `condition`, if the condition has properties.
  Chain with_properties(Chain chain, rules::TermId condition, events::EventId from, events::EventId to);
  bool takes_left(const rules::Union& op, events::EventId from, events::EventId to);
  const rules::Definition* definition(rules::TermId term) const;
  Link leaf(rules::TermId term, Link::Kind kind, events::EventId from, events::EventId to) const;
  events::EventId middle(const rules::Sequence& op, events::EventId from, events::EventId to);
  const Ways& ways(rules::TermId argument, events::EventId from);
  rules::TermId main_side(const rules::Intersection& op, events::EventId from, events::EventId to);
  bool is_condition(rules::TermId term) const { return conditions_[term]; }
  bool has(rules::TermId term, events::EventId from, events::EventId to) { return value(term).contains(from, to); }
  /// Returns the first stage of the fixed-point iteration that contains the pair, and a derivation in which the
  /// variables have the values of the preceding stage.
  std::pair<std::size_t, Derivation*> before_stage(const rules::Fixpoint& fixpoint, events::EventId from,
                                                   events::EventId to);

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const events::Execution& execution_;
  Context& context_;
  eval::TermEvaluator evaluator_;
  std::vector<bool> conditions_;  ///< for each term, whether it is a property of two events rather than a step
  std::unordered_map<rules::TermId, const rules::Definition*> names_;
  std::unordered_map<Pair, double, PairHash> lengths_;
  std::map<std::pair<rules::TermId, events::EventId>, Ways> ways_;
  using Stages = std::vector<std::vector<events::Relation>>;
  std::shared_ptr<std::map<std::uint32_t, Stages>> stages_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::unique_ptr<Derivation>> inner_;
};

}  // namespace ambit::explain
