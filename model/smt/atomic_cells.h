#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/context.h"
#include "model/rules/rules.h"
#include "model/smt/acyclicity.h"
#include "model/smt/bounds.h"

namespace ambit::smt {

/// Returns whether all writes to the cell are certainly executed and certainly access this cell, and at least two are
/// updates.
bool may_be_atomic(const Candidates& candidates, const events::EventGraph& graph, LocationId location);

/// Marks the atomic cells (Candidates::is_atomic): the axioms of `rules` make all updates of an atomic cell atomic.
/// Returns whether it marked new cells. In this case, the caller must call Candidates::settle(). Throws Stopped.
bool find_atomic_cells(Candidates& candidates, const events::EventGraph& graph, const rules::Rules& rules,
                       Bounds& bounds, Context& context);

/// Determines how a term relates the reads and writes of the updates of one atomic cell. For many terms, this depends
/// only on the order of the updates: each update reads from the write directly before its own write. So reads-from
/// leads to the next update, and from-reads leads to the update's own write and to all later writes.
class UpdateOrder {
 public:
  /// Creates the order of the updates and refines `bounds` by it. Polls `context`.
  UpdateOrder(const events::EventGraph& graph, const rules::Rules& rules, Bounds& bounds, Context& context)
      : graph_(graph), rules_(rules), bounds_(bounds), context_(context) {
    bounds.set_refinement([this](rules::TermId term, Bound& bound) { refine(term, bound); });
  }
  UpdateOrder(const UpdateOrder&) = delete;
  UpdateOrder& operator=(const UpdateOrder&) = delete;

  struct Meaning {
    bool from_read = false;   ///< whether the term relates reads of updates
    bool from_write = false;  ///< whether the term relates writes of updates
    bool to_read = false;
    bool to_write = false;
    /// Whether the term relates events of two updates only if coherence orders the two updates in the same direction.
    bool is_within = false;
    bool is_whole = false;  ///< whether the term relates events of two updates whenever coherence orders the updates
    bool has_own = false;   ///< whether the term relates an update's read to its own write
    bool is_exact() const { return is_within && is_whole; }
  };
  /// Returns the meaning of a term, or nothing if the order of the updates of `location` does not determine the term.
  std::optional<Meaning> of(rules::TermId term, LocationId location);

  /// Returns whether `term` relates events of updates of `location` only forward in the order of the updates: from an
  /// update to a later update, or from the read of an update to its own write.
  bool leads_forward(rules::TermId term, LocationId location);
  /// Like leads_forward() above, for a relation that does not depend on the execution.
  bool leads_forward(const events::Relation& pairs, LocationId location) const;

  /// Returns whether the order of the updates, together with `meaning`, determines whether the term relates the events.
  /// Both events must belong to updates.
  bool decides(const Meaning& meaning, events::EventId a, events::EventId b) const;

 private:
  /// Calls f(a, b) for all pairs of events that belong to updates of the cell. Throws Stopped.
  template <typename Function>
  void for_each_pair(LocationId location, const Function& f) const;
  void refine(rules::TermId term, Bound& bound);
  std::optional<Meaning> find(rules::TermId term, LocationId location);
  bool is_coherence_at(rules::TermId term, LocationId location);
  bool holds_for_links(rules::TermId link, LocationId location);
  std::optional<rules::TermId> link_of_chain(rules::TermId closure, bool begins_with_update) const;
  Meaning chain(rules::TermId link, LocationId location);

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  Bounds& bounds_;
  Context& context_;
  std::map<std::pair<rules::TermId, LocationId>, std::optional<Meaning>> known_;
};

/// Bounds of terms that the order of the updates of atomic cells has refined.
struct RefinedBounds {
  RefinedBounds(const events::EventGraph& graph, const rules::Rules& rules, const Candidates& candidates,
                Context& context)
      : bounds(graph, rules, candidates, context), updates(graph, rules, bounds, context) {}

  Bounds bounds;
  UpdateOrder updates;
};

/// Removes the edges of a component if all its events belong to updates of one atomic cell, and `leads_forward(cell)`
/// shows that no edge contradicts the order of the updates. The component then has no cycle, because coherence has no
/// cycle.
void drop_ordered_components(const events::EventGraph& graph, const Candidates& candidates, std::vector<Edge>& edges,
                             const std::function<bool(LocationId)>& leads_forward);

}  // namespace ambit::smt
