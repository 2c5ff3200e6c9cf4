#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "base/context.h"

namespace ambit::solver {

/// A propositional literal: the number of a variable, or the negative number for the variable's negation. Variable 1 is
/// the constant true.
using Lit = std::int32_t;
inline constexpr Lit kTrue = 1;
inline constexpr Lit kFalse = -1;

/// Receives clauses.
class ClauseSink {
 public:
  virtual ~ClauseSink() = default;
  virtual void add_clause(std::span<const Lit> clause) = 0;
};

/// Stores variables and hash-consed conjunctions, and creates the clauses that follow from requirements on them.
///
/// Only conjunctions are stored; a disjunction is the negation of a conjunction. The sink receives a gate's definition
/// only in the directions that required clauses need (Plaisted and Greenbaum 1986). So unused gates cost nothing in the
/// solver. In a solution, the values of gates' variables are meaningless; evaluate() computes gates from leaves.
///
/// After a limit of the context is reached, functions that create gates or clauses throw Stopped. After this exception,
/// some gates or clauses are missing, and the object must no longer be used.
class Literals {
 public:
  Literals(ClauseSink& sink, Context& context);

  Lit fresh();
  Lit all_of(std::span<const Lit> literals);
  Lit any_of(std::span<const Lit> literals);
  Lit all_of(std::initializer_list<Lit> literals) { return all_of(std::span(literals.begin(), literals.size())); }
  Lit any_of(std::initializer_list<Lit> literals) { return any_of(std::span(literals.begin(), literals.size())); }

  /// Requires that at least one of `literals` is true.
  void require(std::span<const Lit> literals);
  void require(std::initializer_list<Lit> literals) { require(std::span(literals.begin(), literals.size())); }
  /// From now on, requirements apply only if `guard` is true.
  void set_guard(Lit guard) { guard_ = guard; }
  /// Returns the conjunction of the guard and `literal`, for requirements that are added later under another guard.
  Lit guarded(Lit literal) { return all_of({guard_, literal}); }
  /// Requires that at most one choice is true. Encodes a few literals pairwise, and many literals by a sequential
  /// counter (Sinz, CP 2005).
  void require_at_most_one(std::span<const Lit> choices);
  /// Emits the definition of `literal`, so that it can be an assumption.
  void prepare(Lit literal);
  /// Returns kTrue or kFalse if the clauses so far determine the literal; otherwise returns the literal.
  Lit simplified(Lit literal) const;
  /// Returns the context, for code that polls but creates no literals.
  Context& context() { return context_; }
  /// Returns whether some required clause is empty.
  bool is_contradictory() const { return contradictory_; }

  std::size_t variable_count() const { return nodes_.size() - 1; }
  std::size_t clause_count() const { return clause_count_; }
  /// Returns the variable that represents the component of `literal`: all variables that clauses connect with
  /// `literal`. Variables with different representatives are independent.
  std::uint32_t component(Lit literal) const;
  bool is_gate(Lit literal) const { return node(literal).count != 0; }
  /// Returns whether the literal is a leaf in some clause that the sink received. The solver determines values only for
  /// these leaves.
  bool is_emitted_leaf(Lit literal) const { return node(literal).count == 0 && node(literal).emitted != 0; }
  /// Computes the values of all gates from the values of the leaves, and overwrites the old values of gates.
  void evaluate(std::vector<bool>& values) const;

 private:
  struct Node {
    std::uint32_t first = 0;
    std::uint32_t count = 0;   ///< number of arguments of a conjunction; 0 for a leaf
    std::uint32_t parent = 0;  ///< parent in the union-find structure over clauses; 0 for a root
    std::int8_t fixed = 0;     ///< 1 or -1 for the value that the clauses force
    /// For a gate, bit 0: "gate implies arguments" was emitted; bit 1: the converse. For a leaf, not 0 if in a clause.
    std::uint8_t emitted = 0;
  };
  static constexpr std::uint32_t kFlatten = 6;  ///< conjunctions up to this size are merged into larger ones
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
  /// Adds `literal` to clause_, and expands small disjunctions. Returns false if the clause becomes true.
  bool append(Lit literal);
  void emit_clause();
  void fix(Lit literal);
  void connect(Lit a, Lit b);

  ClauseSink& sink_;
  Context& context_;
  std::vector<Node> nodes_;
  std::vector<Lit> arguments_;
  std::vector<std::uint32_t> table_;  ///< hash table of gates with open addressing; 0 marks a free slot
  std::size_t gate_count_ = 0;
  Lit guard_ = kTrue;
  std::vector<Lit> scratch_;
  std::vector<Lit> clause_;
  std::vector<Lit> pending_;
  std::size_t clause_count_ = 0;
  bool contradictory_ = false;
};

}  // namespace ambit::solver
