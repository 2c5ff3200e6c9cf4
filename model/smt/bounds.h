#pragma once

#include <memory>
#include <vector>

#include "model/events/event_graph.h"
#include "model/rules/rules.h"
#include "model/smt/may_and_must.h"

namespace ambit::smt {

class UpdateOrder;

/// Evaluates terms abstractly, each once and only when asked for. Least fixed points are computed from below for both
/// bounds, which is sound because bodies grow with their variables.
class Bounds {
 public:
  /// `context` is polled.
  Bounds(const events::EventGraph& graph, const rules::Rules& rules, const Candidates& candidates, Context& context);
  ~Bounds();

  const Bound& of(rules::TermId term);
  const Candidates& candidates() const { return candidates_; }
  /// a ; b for `must` relations: the middle event has to be executed because one of the ends is.
  events::Relation compose_must(const events::Relation& a, const events::Relation& b) const;
  /// a+ for `must` relations.
  events::Relation close_must(events::Relation a) const;
  /// implied().contains(a, c): c is executed whenever a is.
  const events::Relation& implied() const { return implied_; }
  /// What terms are between updates of atomic cells.
  UpdateOrder& updates() { return *updates_; }

 private:
  struct Visitor;
  void solve(std::uint32_t group);
  void follow_updates(rules::TermId term, Bound& bound);

  const events::EventGraph& graph_;
  const rules::Rules& rules_;
  const Candidates& candidates_;
  Context& context_;
  events::Relation implied_;
  events::Relation implied_by_;
  std::unique_ptr<UpdateOrder> updates_;
  std::vector<Bound> bounds_;
  std::vector<bool> known_;
};

}  // namespace ambit::smt
