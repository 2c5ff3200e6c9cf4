#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/rules/rules.h"

namespace ambit::eval {

/// What a term waits for before its value is fixed, in the sequence in which the enumerator chooses.
enum class Level : std::uint8_t { Static, ReadsFrom, Coherence, Order };
inline constexpr std::size_t kLevels = 4;

/// While choices are open a term has a lower and an upper bound: pairs that it has whatever is chosen, pairs that it
/// may have. A fixed term is held in its lower bound.
enum class Bound : std::uint8_t { Lower, Upper };

/// A place that holds the value of a term: 2 * term + bound.
using BufferId = std::uint32_t;
constexpr BufferId buffer_of(rules::TermId term, Bound bound) { return 2 * term + static_cast<BufferId>(bound); }
constexpr Bound bound_of(BufferId buffer) { return static_cast<Bound>(buffer % 2); }

enum class StepKind : std::uint8_t {
  LoadSet,
  LoadRelation,
  FromReads,
  Clear,
  Union,
  Intersection,
  Difference,
  Complement,
  Sequence,
  RestrictRows,     ///< [left] ; right
  RestrictColumns,  ///< left ; [right]
  Inverse,
  Closure,
  Optional,
  SetIdentity,
  Product,
  Domain,
  Range,
  Fixpoint,  ///< repeats the next `extra` steps until the variables of Plan::solutions[left] no longer change
  Test       ///< axiom `extra` on buffer `left`
};

struct Step {
  StepKind kind = StepKind::Clear;
  bool is_set = false;  ///< of the target (for Test: of the term)
  BufferId target = 0;
  BufferId left = 0;
  BufferId right = 0;
  std::uint32_t extra = 0;  ///< base set or relation, axiom, or number of steps
};

struct PlanAxiom {
  rules::Test test = rules::Test::Acyclic;
  bool negated = false;
  rules::TermId term = 0;
};

/// A `let rec` group, one entry a variable.
struct FixpointGroup {
  std::vector<rules::TermId> variables;
  std::vector<rules::TermId> bodies;
};

/// Rules compiled to straight lists of steps on buffers, so that what is fixed early is computed once and what fails
/// early is found early. Holds for every graph.
///
/// `axiom_steps[L]` computes exactly the terms of level L that axioms need and tests the axioms of that level;
/// `flag_steps[L]` the further terms that flags need. `bound_steps[L]` tests all axioms of level >= L while the
/// choices of level >= L are open, its lists one after the other: a failed test means that no completion satisfies the
/// axiom. It needs the terms of lower levels. The value-groundedness condition acyclic(rf | addr | data | rmw) is the
/// last axiom.
class Plan {
 public:
  explicit Plan(const rules::Rules& rules);

  std::vector<rules::Term> terms;  ///< those of the rules, then some of our own
  std::vector<rules::Kind> kinds;
  std::vector<Level> levels;  ///< by term
  std::vector<PlanAxiom> axioms;
  std::vector<FixpointGroup> groups;
  std::vector<rules::TermId> order_terms;    ///< by Rules::orders
  std::vector<rules::TermId> order_domains;  ///< by Rules::orders
  rules::TermId reads_from = 0;
  rules::TermId coherence = 0;

  /// One list a level.
  using StepLists = std::array<std::vector<Step>, kLevels>;
  StepLists axiom_steps;
  StepLists flag_steps;
  std::array<StepLists, kLevels> bound_steps;
  /// A fixed-point variable and what it becomes in the next round.
  struct Assignment {
    BufferId variable;
    BufferId body;
  };
  std::vector<std::vector<Assignment>> solutions;
  bool flags_need_orders = false;
  /// With orders open: the upper bounds of the flags' terms, in the machine after bound_steps[3].
  std::vector<Step> flag_bound_steps;
  std::vector<BufferId> flag_upper_bounds;  ///< by Rules::flags
  /// By Rules::orders: the terms of lower levels with which every use of the order is intersected, so that only their
  /// pairs (either way round) matter; nothing: all pairs do.
  std::vector<std::optional<std::vector<rules::TermId>>> order_masks;

  Level level(rules::TermId term) const { return levels[term]; }

 private:
  rules::TermId find_or_add(const rules::Term& term);
  void add_groundedness();
  void compute_levels();
  void compute_open_groups();
  std::vector<std::size_t> axioms_by_cost() const;
  void find_order_masks();
  void write_bound_steps(const std::vector<std::size_t>& sequence);
  friend class StepWriter;

  const rules::Rules* rules_;
  std::vector<std::vector<bool>> open_;  ///< by group, term: a variable of the group occurs in the term
};

}  // namespace ambit::eval
