#pragma once

#include <vector>

#include "model/smt/acyclicity.h"
#include "model/smt/formula.h"
#include "model/smt/may_and_must.h"

namespace ambit::smt {

/// A strict total order over a set of events that an execution chooses, with one literal for each pair that a formula
/// uses. Each acyclic choice for these pairs extends to a total order, so only acyclicity is required.
class TotalOrder {
 public:
  TotalOrder(Literals& literals, std::size_t events) : literals_(&literals), events_(events) {}

  /// Returns the literal for "`a` comes before `b`"; a != b.
  Lit before(events::EventId a, events::EventId b);
  /// Makes `a` come before `b` whenever `literal` holds, without a separate variable for the pair.
  void constrain(events::EventId a, events::EventId b, Lit literal) { constraints_.push_back({a, b, literal}); }
  /// Requires acyclicity. Call it once, after all uses of before().
  void finish();
  /// Returns the order as edges under `values` (the value of each variable). The edges must be sorted topologically.
  std::vector<Edge> chosen(const std::vector<bool>& values) const;

 private:
  Literals* literals_;
  std::size_t events_;
  /// The literal of a pair with a < b is at a * events_ + b; 0 if unused; allocated with the first pair.
  std::vector<Lit> pairs_;
  std::vector<Edge> requested_;
  std::vector<Edge> constraints_;
};

/// The variables of an execution's choices of rf and co. Declared orders are separate.
class Choices {
 public:
  Choices(const events::EventGraph& graph, const Candidates& candidates, Literals& literals);

  /// Returns the literal for "`write` is the source of `read`"; kFalse if `write` is not a candidate.
  Lit reads_from(events::EventId write, events::EventId read) const;
  /// Returns the literals of the choice event's values, in order of values.
  const std::vector<Lit>& alternatives(events::EventId choice) const { return sources_[choice]; }
  /// Returns the literal for "a is older than b", for two writes that may share a location. The literal is meaningful
  /// only if both writes are executed at one location.
  Lit older(events::EventId a, events::EventId b);
  TotalOrder& coherence() { return coherence_; }
  const TotalOrder& coherence() const { return coherence_; }

 private:
  const events::EventGraph& graph_;
  const Candidates& candidates_;
  std::vector<std::vector<Lit>> sources_;  ///< for each read event, literals parallel to Candidates::sources; for each
                                           ///< choice, literals of its values
  TotalOrder coherence_;
};

}  // namespace ambit::smt
