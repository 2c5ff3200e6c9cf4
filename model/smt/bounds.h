#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"
#include "model/smt/may_and_must.h"

namespace ambit::smt {

/// Computes bounds of terms. Each term is evaluated at most once, on first use. For both bounds, the iteration of least
/// fixed points starts with the empty relation. This iteration is sound because the bodies of recursive definitions are
/// monotone in their variables.
class Bounds {
 public:
  /// Creates bounds that poll `context`.
  Bounds(const events::EventGraph& graph, const rules::Rules& rules, const Candidates& candidates, Context& context);
  Bounds(const Bounds&) = delete;
  Bounds& operator=(const Bounds&) = delete;

  /// Sets a refinement. `refine` receives the bounds of each term when they are known, and may narrow them. Must be
  /// called before the first use of a term.
  void set_refinement(std::function<void(rules::TermId, Bound&)> refine) { refine_ = std::move(refine); }

  const Bound& of(rules::TermId term);
  const Candidates& candidates() const { return candidates_; }
  /// Returns a ; b for `must` relations. A pair is included only if the execution of one of its ends implies the
  /// execution of the middle event.
  events::Relation compose_must(const events::Relation& a, const events::Relation& b) const;
  /// Returns a+ for `must` relations.
  events::Relation close_must(events::Relation a) const;
  /// Returns a relation that contains (a, c) if c is executed whenever a is executed.
  const events::Relation& implied() const { return implied_; }

 private:
  struct Visitor;
  void solve(std::uint32_t group);

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const Candidates& candidates_;
  Context& context_;
  events::Relation implied_;
  events::Relation implied_by_;
  std::function<void(rules::TermId, Bound&)> refine_;
  std::vector<Bound> bounds_;
  std::vector<bool> known_;
};

}  // namespace ambit::smt
