#pragma once

#include <vector>

#include "model/smt/acyclicity.h"
#include "model/smt/formula.h"
#include "model/smt/may_and_must.h"

namespace ambit::smt {

/// A strict total order over a set of events that an execution chooses, with one literal for each pair that a formula
/// uses. Any acyclic choice for these pairs extends to a total order, so only acyclicity is required.
class TotalOrder {
 public:
  TotalOrder(Literals& literals, std::size_t events) : literals_(&literals), events_(events) {}

  /// Returns the literal for "`a` comes before `b`"; a != b.
  Lit before(events::EventId a, events::EventId b);
  /// Makes `a` come before `b` whenever `literal` holds, without a separate variable for the pair.
  void constrain(events::EventId a, events::EventId b, Lit literal) { constraints_.push_back({a, b, literal}); }
  /// Requires acyclicity. To be called once, after all uses of before().
  void finish();
  /// Returns the order as edges under `values` (by variable), to be sorted topologically.
  std::vector<Edge> chosen(const std::vector<bool>& values) const;

 private:
  Literals* literals_;
  std::size_t events_;
  std::vector<Lit> pairs_;  ///< by a * events_ + b, a < b; 0: not used; allocated with the first pair
  std::vector<Edge> requested_;
  std::vector<Edge> constraints_;
};

/// The variables of an execution's choices besides declared orders: rf and co.
class Choices {
 public:
  Choices(const events::EventGraph& graph, const Candidates& candidates, Literals& literals);

  /// Returns the literal for "`write` is the source of `read`"; kFalse if it is not a candidate.
  Lit reads_from(events::EventId write, events::EventId read) const;
  /// Returns the literals of the choice event's values, by value.
  const std::vector<Lit>& alternatives(events::EventId choice) const { return sources_[choice]; }
  /// Returns the literal for "a is older than b" of two writes that may share a location; meaningful only if both are
  /// executed there.
  Lit older(events::EventId a, events::EventId b);
  TotalOrder& coherence() { return coherence_; }
  const TotalOrder& coherence() const { return coherence_; }

 private:
  const events::EventGraph& graph_;
  const Candidates& candidates_;
  std::vector<std::vector<Lit>> sources_;  ///< by read event, parallel to Candidates::sources; choices: by value
  TotalOrder coherence_;
};

}  // namespace ambit::smt
