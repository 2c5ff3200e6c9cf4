#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "core/context.h"

namespace ambit::solver {

/// A propositional literal: the number of a variable, negative when negated. Variable 1 is the constant true.
using Lit = std::int32_t;
inline constexpr Lit kTrue = 1;
inline constexpr Lit kFalse = -1;

/// Where clauses go.
class ClauseSink {
 public:
  virtual ~ClauseSink() = default;
  virtual void add_clause(std::span<const Lit> clause) = 0;
};

/// Variables, hash-consed conjunctions, and the clauses that follow from what is required of them.
///
/// Only conjunctions are stored; a disjunction is the negation of one. A gate's definition reaches the sink in the
/// direction (or directions) in which some required clause needs it, and only then (Plaisted and Greenbaum 1986): what
/// nobody asks for costs nothing in the solver. Hence a gate's variable in a model means nothing by itself; `evaluate`
/// computes gates from the leaves.
///
/// Whatever makes gates or clauses throws Stopped once the context's limits are reached. Then some are missing, and the
/// object is useless.
class Literals {
 public:
  Literals(ClauseSink& sink, Context& context);

  Lit fresh();
  Lit all_of(std::span<const Lit> literals);
  Lit any_of(std::span<const Lit> literals);
  Lit all_of(std::initializer_list<Lit> literals) { return all_of(std::span(literals.begin(), literals.size())); }
  Lit any_of(std::initializer_list<Lit> literals) { return any_of(std::span(literals.begin(), literals.size())); }

  /// At least one of `literals` holds from now on.
  void require(std::span<const Lit> literals);
  void require(std::initializer_list<Lit> literals) { require(std::span(literals.begin(), literals.size())); }
  /// From now on what is required has to hold only where `guard` does; kTrue: everywhere again.
  void set_guard(Lit guard) { guard_ = guard; }
  /// The guard and `literal`, for requirements that are put off until another guard is set.
  Lit guarded(Lit literal) { return all_of({guard_, literal}); }
  /// Pairwise for few; for many through a chain of "one so far" (Sinz, CP 2005).
  void require_at_most_one(std::span<const Lit> choices);
  /// Emits the definition of `literal`, so that it can be an assumption.
  void prepare(Lit literal);
  /// kTrue or kFalse where the clauses so far fix the literal, else the literal.
  Lit simplified(Lit literal) const;
  /// For work that makes no literals, which polls as well.
  Context& context() { return context_; }
  /// Some clause required so far is empty.
  bool is_contradictory() const { return contradictory_; }

  std::size_t variable_count() const { return nodes_.size() - 1; }
  std::size_t clause_count() const { return clause_count_; }
  /// A variable that stands for all those that clauses connect with `literal`: what holds of variables with different
  /// representatives is independent.
  std::uint32_t component(Lit literal) const;
  bool is_gate(Lit literal) const { return node(literal).count != 0; }
  /// Leaves that occur in some clause given to the sink: the ones whose model values matter.
  bool is_emitted_leaf(Lit literal) const { return node(literal).count == 0 && node(literal).emitted != 0; }
  /// Truth values by variable, given those of the leaves (gates' entries are overwritten).
  void evaluate(std::vector<bool>& values) const;

 private:
  struct Node {
    std::uint32_t first = 0;
    std::uint32_t count = 0;   ///< arguments of a conjunction; 0: a leaf
    std::uint32_t parent = 0;  ///< union-find over clauses; 0: a root
    std::int8_t fixed = 0;     ///< 1 or -1: the value that the clauses force
    std::uint8_t emitted = 0;  ///< bit 0: "gate implies arguments" given out; bit 1: the converse; any: leaf in use
  };
  static constexpr std::uint32_t kFlatten = 6;  ///< conjunctions up to this size are merged into their users
  static constexpr std::uint32_t kInline = 4;   ///< disjunctions up to this size are written out in clauses

  const Node& node(Lit literal) const { return nodes_[static_cast<std::size_t>(literal < 0 ? -literal : literal)]; }
  Node& node(Lit literal) { return nodes_[static_cast<std::size_t>(literal < 0 ? -literal : literal)]; }
  std::span<const Lit> arguments(const Node& gate) const { return {arguments_.data() + gate.first, gate.count}; }

  Lit conjunction(std::vector<Lit>& literals);
  Lit intern(const std::vector<Lit>& literals);
  void grow_table();
  void need(Lit literal);
  void emit_pending();
  void emit_gate(Lit gate);
  /// Adds `literal` to clause_, small disjunctions written out; false when that makes the clause true.
  bool append(Lit literal);
  void emit_clause();
  void fix(Lit literal);
  void connect(Lit a, Lit b);

  ClauseSink& sink_;
  Context& context_;
  std::vector<Node> nodes_;
  std::vector<Lit> arguments_;
  std::vector<std::uint32_t> table_;  ///< open addressing over gates; 0: free
  std::size_t gate_count_ = 0;
  Lit guard_ = kTrue;
  std::vector<Lit> scratch_;
  std::vector<Lit> clause_;
  std::vector<Lit> pending_;
  std::size_t clause_count_ = 0;
  bool contradictory_ = false;
};

}  // namespace ambit::solver
