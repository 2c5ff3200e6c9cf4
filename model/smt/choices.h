#pragma once

#include <vector>

#include "model/smt/acyclicity.h"
#include "model/smt/formula.h"
#include "model/smt/may_and_must.h"

namespace ambit::smt {

/// A strict total order of a set of events, chosen by the execution. The order has one literal for each pair that a
/// formula uses. Each acyclic choice for these pairs extends to a total order, so acyclicity is the only requirement.
class TotalOrder {
 public:
  TotalOrder(Literals& literals, std::size_t events) : literals_(&literals), events_(events) {}

  /// Returns the literal for "`a` comes before `b`"; a != b.
  Lit before(events::EventId a, events::EventId b);
  /// Requires that `a` comes before `b` if `literal` is true. Creates no separate variable for the pair.
  void constrain(events::EventId a, events::EventId b, Lit literal) { constraints_.push_back({a, b, literal}); }
  /// Requires acyclicity. Must be called exactly once, after all uses of before().
  void finish();
  /// Returns the edges that the order has for `values`, the values of all variables. The caller must sort the edges
  /// topologically.
  std::vector<Edge> chosen(const std::vector<bool>& values) const;

 private:
  Literals* literals_;
  std::size_t events_;
  /// For a < b, pairs_[a * events_ + b] is the literal of the pair, or 0 if the pair is unused. The vector is allocated
  /// for the first pair.
  std::vector<Lit> pairs_;
  std::vector<Edge> requested_;
  std::vector<Edge> constraints_;
};

/// The variables for the choices of rf and co. Declared orders have separate variables.
class Choices {
 public:
  Choices(const events::EventGraph& graph, const Candidates& candidates, Literals& literals);

  /// Returns the literal for "`write` is the source of `read`"; kFalse if `write` is not a candidate.
  Lit reads_from(events::EventId write, events::EventId read) const;
  /// Returns the literals for the values of a choice event, in order of the values.
  const std::vector<Lit>& alternatives(events::EventId choice) const { return sources_[choice]; }
  /// Returns the literal for "a is older than b", for two writes that may share a location. The literal is meaningful
  /// only if both writes are executed at one location.
  Lit older(events::EventId a, events::EventId b);
  TotalOrder& coherence() { return coherence_; }
  const TotalOrder& coherence() const { return coherence_; }

 private:
  const events::EventGraph& graph_;
  const Candidates& candidates_;
  /// For a read, the literals of its elements in Candidates::sources; for a choice, the literals of its values.
  std::vector<std::vector<Lit>> sources_;
  TotalOrder coherence_;
};

}  // namespace ambit::smt
