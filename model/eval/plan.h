#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/rules/rules.h"

namespace ambit::eval {

/// The last kind of choice on which a term's value depends. The enumerator makes the choices in this order.
enum class Level : std::uint8_t { Static, ReadsFrom, Coherence, Order };
inline constexpr std::size_t kLevels = 4;

/// While choices are open, a term has two bounds. The lower bound has the pairs that the term has for all choices. The
/// upper bound has the pairs that the term has for some choice. The lower bound of a fixed term is its value.
enum class Bound : std::uint8_t { Lower, Upper };

/// The number of the buffer that holds one bound of a term: 2 * term + bound.
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
  Test       ///< tests axiom `extra` on buffer `left`
};

struct Step {
  StepKind kind = StepKind::Clear;
  bool is_set = false;  ///< whether the target (for Test: the tested term) is a set
  BufferId target = 0;
  BufferId left = 0;
  BufferId right = 0;
  std::uint32_t extra = 0;  ///< the base set or relation, the axiom, or the number of steps
};

struct PlanAxiom {
  rules::Test test = rules::Test::Acyclic;
  bool negated = false;
  rules::TermId term = 0;
};

/// A `let rec` group. Each vector has one entry for each variable.
struct FixpointGroup {
  std::vector<rules::TermId> variables;
  std::vector<rules::TermId> bodies;
};

/// Rules compiled to linear lists of steps on buffers. A term with an early fixed value is computed only once, and
/// violations are found early. A plan is valid for all graphs.
///
/// `axiom_steps[L]` computes the exact values of the terms of level L that axioms need, and tests the axioms of this
/// level. `flag_steps[L]` computes the additional terms that flags need. `bound_steps[L]` tests all axioms of level >=
/// L on bounds, while the choices of level >= L are open. If a test on bounds fails, no completion satisfies the axiom.
/// The lists run in the order of the levels, because the tests need the terms of lower levels. The last axiom is
/// acyclic(rf | addr | data | rmw): values must be grounded.
class Plan {
 public:
  explicit Plan(const rules::Rules& rules);

  std::vector<rules::Term> terms;  ///< the terms of the rules, followed by the terms that the plan adds
  std::vector<rules::Kind> kinds;
  std::vector<Level> levels;  ///< level of each term
  std::vector<PlanAxiom> axioms;
  std::vector<FixpointGroup> groups;
  std::vector<rules::TermId> order_terms;    ///< for each element of Rules::orders, its term in `terms`
  std::vector<rules::TermId> order_domains;  ///< for each element of Rules::orders, its domain
  rules::TermId reads_from = 0;
  rules::TermId coherence = 0;

  /// One list for each level.
  using StepLists = std::array<std::vector<Step>, kLevels>;
  StepLists axiom_steps;
  StepLists flag_steps;
  std::array<StepLists, kLevels> bound_steps;
  /// A fixed-point variable and its value in the next round.
  struct Assignment {
    BufferId variable;
    BufferId body;
  };
  std::vector<std::vector<Assignment>> solutions;
  bool flags_need_orders = false;
  /// Computes the upper bounds of the flags' terms while orders are open. The machine must have run bound_steps[3].
  std::vector<Step> flag_bound_steps;
  std::vector<BufferId> flag_upper_bounds;  ///< for each element of Rules::flags, the buffer of its upper bound
  /// For each element of Rules::orders, terms of lower levels; nothing if all pairs are relevant. The rules intersect
  /// each use of the order with one of these terms, so only pairs of the terms are relevant (in both directions).
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
  /// For each group and each term, whether a variable of the group occurs in the term.
  std::vector<std::vector<bool>> open_;
};

}  // namespace ambit::eval
