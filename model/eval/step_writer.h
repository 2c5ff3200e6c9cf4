#pragma once

#include <vector>

#include "model/eval/plan.h"

namespace ambit::eval {

/// Writes the steps that compute terms. Each term is computed once, after its arguments. Terms of a level below `open`
/// are fixed, and were computed before unless `open` is kLevels. If `open` is kLevels, no choice is open and the
/// evaluation is exact. The steps of a term go into the list of the term's level.
class StepWriter {
 public:
  using Lists = Plan::StepLists;

  StepWriter(Plan& plan, std::size_t open, Lists& lists);

  /// Appends further steps to `lists`. Does not repeat the computation of terms.
  void write_into(Lists& lists) { lists_ = &lists; }
  /// Computes the wanted bound of `term` and returns its buffer.
  BufferId compute(rules::TermId term, Bound bound);
  /// Computes the terms of an axiom and tests the axiom.
  void test(std::size_t axiom);

 private:
  bool is_exact() const { return open_ == kLevels; }
  bool is_fixed(rules::TermId term) const { return static_cast<std::size_t>(plan_.levels[term]) < open_; }
  void write(rules::TermId term, Bound bound, BufferId target);
  void solve(std::uint32_t group, Bound bound);
  void append(rules::TermId term, Step step);

  void write_op(const rules::BaseSetTerm& op, Bound bound, Step& step);
  void write_op(const rules::BaseRelationTerm& op, Bound bound, Step& step);
  void write_op(const rules::OrderTerm& op, Bound bound, Step& step);
  void write_op(const rules::FixpointTerm& op, Bound bound, Step& step);
  void write_op(const rules::Empty& op, Bound bound, Step& step);
  void write_op(const rules::Union& op, Bound bound, Step& step);
  void write_op(const rules::Intersection& op, Bound bound, Step& step);
  void write_op(const rules::Difference& op, Bound bound, Step& step);
  void write_op(const rules::Complement& op, Bound bound, Step& step);
  void write_op(const rules::Sequence& op, Bound bound, Step& step);
  void write_op(const rules::Inverse& op, Bound bound, Step& step);
  void write_op(const rules::TransitiveClosure& op, Bound bound, Step& step);
  void write_op(const rules::Optional& op, Bound bound, Step& step);
  void write_op(const rules::SetIdentity& op, Bound bound, Step& step);
  void write_op(const rules::Product& op, Bound bound, Step& step);
  void write_op(const rules::Domain& op, Bound bound, Step& step);
  void write_op(const rules::Range& op, Bound bound, Step& step);
  void unary(StepKind kind, rules::TermId argument, Bound bound, Step& step);
  void binary(StepKind kind, rules::TermId left, rules::TermId right, Bound bound, Step& step);

  Plan& plan_;
  std::size_t open_;
  Lists* lists_;
  std::vector<bool> done_;  ///< whether each buffer is computed
  /// The groups that are being solved, each with the steps that its iteration repeats. The innermost group is last.
  struct Repeated {
    std::uint32_t group;
    std::vector<Step> steps;
  };
  std::vector<Repeated> repeated_;
};

}  // namespace ambit::eval
