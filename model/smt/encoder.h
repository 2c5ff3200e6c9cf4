#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "model/smt/atomic_cells.h"
#include "model/smt/lifted_pairs.h"
#include "model/smt/lit_map.h"
#include "model/smt/memory_encoding.h"
#include "model/smt/step_graph.h"

namespace ambit::smt {

/// The guarantee that a constraint requires of the literal for "(a, b) is in the term".
///
/// A gate cannot define a recursive term (closure, let rec), so each direction needs its own encoding:
/// - Absence: a false literal must imply that the pair is not in the term (axioms, right sides of `\` in flags). A
///   variable for each recursive pair, with the implications premises -> pair, is exact. A satisfying assignment is a
///   pre-fixpoint, and the least fixed point is the intersection of all pre-fixpoints (Knaster and Tarski). Therefore
///   some assignment makes the pair false iff the pair is not in the least fixed point. The least fixed point itself is
///   one assignment that works for all pairs.
/// - Presence: a true literal must imply that the pair is in the term (left sides of flags, negated axioms). A true
///   variable needs a derivation from true premises, and derivations must not be circular. Premises become edges of a
///   support graph, which must be acyclic, so that the true pairs have well-founded derivations.
/// Terms without recursion over a chosen relation have the same literals for both uses.
enum class Use : std::uint8_t { Absence, Presence };
constexpr Use opposite(Use use) { return use == Use::Absence ? Use::Presence : Use::Absence; }

/// Creates literals for "(a, b) is in the term" on demand, from the top down. A pair that Bounds decides is a constant.
class Encoder {
 public:
  /// Creates an encoder. `axioms_hold` is true if all executions must satisfy all axioms, so that the encoding of an
  /// axiom may rely on the other axioms.
  Encoder(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, UpdateOrder& updates,
          Memory& memory, Values& values, Literals& literals, bool axioms_hold);

  /// Returns the literal of a pair. The literal also requires that both events are executed. For a set, a == b.
  Lit literal(rules::TermId term, events::EventId a, events::EventId b, Use use);
  Bounds& bounds() { return bounds_; }
  TotalOrder& order(std::uint32_t index) { return orders_[index]; }
  const TotalOrder& order(std::uint32_t index) const { return orders_[index]; }

  /// Makes the literals for the set of each declared order exact, if the set depends on recursion. Must be called
  /// before all other functions.
  void settle_order_sets();
  /// Requires the axiom. normalized() must have replaced negated acyclicity.
  void require(const rules::Axiom& axiom);
  /// Returns the pairs that a raised flag can report, with their literals. A literal is true only if the pair is
  /// reported. Returns nothing if absent pairs raise the flag. normalized() must have replaced acyclicity.
  std::vector<Edge> flag_pairs(const rules::Flag& flag);
  /// Returns a literal that is true only if the flag is raised.
  Lit raised(const rules::Flag& flag);

  /// Defines all recursive pairs in use, and finishes the declared orders. Must be called once, after all others.
  void finish();

 private:
  struct Visitor;
  struct Closure {
    StepGraph steps;
    Components components;                         ///< strongly connected components of the graph of all edges
    std::vector<std::vector<std::uint32_t>> into;  ///< for each event, the indices of the edges that end at it
    std::vector<StepGraph::Pair> edges;            ///< all edges; certain edges come first
  };
  /// A pair defined by recursion: a pair of a `let rec` variable, or a pair of a source and a node that it reaches in a
  /// closure's graph.
  struct Atom {
    rules::TermId term;
    events::EventId from;
    events::EventId to;
    Use use;
    Lit variable;
  };

  Lit encode(rules::TermId term, events::EventId a, events::EventId b, Use use);
  std::uint64_t key(rules::TermId term, events::EventId a, events::EventId b, Use use) const;
  std::optional<Lit> update_pair(rules::TermId term, events::EventId a, events::EventId b);
  Lit base_pair(BaseRelation relation, events::EventId a, events::EventId b);
  Lit order_pair(std::uint32_t order, events::EventId a, events::EventId b, Use use);

  // closures
  const Closure& closure(rules::TermId term);
  Lit closure_pair(rules::TermId term, events::EventId a, events::EventId b, Use use);
  Lit reached(rules::TermId term, events::EventId source, events::EventId node, Use use);
  Lit reached_now(rules::TermId term, events::EventId source, events::EventId node, Use use);
  bool has_one_way_in(const Closure& c, const events::Relation& may, events::EventId source, events::EventId node);
  Lit edge_literal(rules::TermId term, const Closure& c, std::uint32_t edge, Use use);
  std::optional<Lit> plain_closure_pair(rules::TermId term, events::EventId a, events::EventId b);
  Lit communication(events::EventId a, events::EventId b);
  Lit certain_literal(const Closure& c, events::EventId a, events::EventId b);

  // recursion
  Lit atom(rules::TermId term, events::EventId a, events::EventId b, Use use);
  void define(std::uint32_t atom);

  // tests
  void require_acyclic_term(rules::TermId term);
  std::optional<rules::TermId> closure_of_cycles(const rules::Axiom& axiom);
  /// Returns the pairs that would violate `test` (empty or irreflexive).
  std::vector<StepGraph::Pair> violations(rules::Test test, rules::TermId term);
  bool order_constrains(rules::TermId term, std::vector<rules::TermId>& rest, std::uint32_t& order);
  void require_in_order(std::uint32_t order, const std::vector<rules::TermId>& rest);

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  Bounds& bounds_;
  UpdateOrder& updates_;
  Memory& memory_;
  Values& values_;
  Literals& literals_;
  bool axioms_hold_;
  std::vector<bool> recursive_;  ///< for each term, whether Absence and Presence differ
  std::vector<TotalOrder> orders_;
  std::vector<bool> order_constrained_;  ///< for each order, whether its graph includes an acyclicity axiom
  LitMap memo_;
  LitMap reached_;     ///< literals of pairs (source, node) in closures
  LitMap local_memo_;  ///< literals of recursive terms while a Presence atom is being defined
  LitMap local_reached_;
  std::map<rules::TermId, Closure> closures_;
  std::map<rules::TermId, std::vector<Lift>> lifts_;  ///< lifts of the arguments of closures
  std::map<rules::TermId, bool> parts_of_coherence_;  ///< for each closure, whether co certainly contains the closure
  LitMap atom_index_;                                 ///< for each atom, 1 + its index in atoms_
  std::deque<Atom> atoms_;
  std::uint32_t defined_ = 0;
  std::optional<std::uint32_t> head_;  ///< the Presence atom that is being defined
  std::vector<Edge> support_;
};

}  // namespace ambit::smt
