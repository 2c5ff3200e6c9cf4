#include "model/eval/step_writer.h"

#include "base/assert.h"

namespace ambit::eval {
namespace {

constexpr Bound opposite(Bound bound) { return bound == Bound::Lower ? Bound::Upper : Bound::Lower; }

}  // namespace

using rules::TermId;

StepWriter::StepWriter(Plan& plan, std::size_t open, Lists& lists)
    : plan_(plan), open_(open), lists_(&lists), done_(2 * plan.terms.size(), false) {}

BufferId StepWriter::compute(TermId term, Bound bound) {
  if (is_fixed(term)) {
    const BufferId fixed = buffer_of(term, Bound::Lower);
    if (is_exact() && !done_[fixed]) write(term, Bound::Lower, fixed);
    return fixed;
  }
  const BufferId target = buffer_of(term, bound);
  if (!done_[target]) write(term, bound, target);
  return target;
}

void StepWriter::test(std::size_t axiom) {
  const PlanAxiom& wanted = plan_.axioms[axiom];
  // If the test fails on the lower bound, the axiom certainly fails. If the test fails on the upper bound, a negated
  // axiom certainly fails.
  const BufferId held = compute(wanted.term, wanted.negated ? Bound::Upper : Bound::Lower);
  Step step;
  step.kind = StepKind::Test;
  step.is_set = plan_.kinds[wanted.term] == rules::Kind::Set;
  step.left = held;
  step.extra = static_cast<std::uint32_t>(axiom);
  append(wanted.term, step);
}

void StepWriter::write(TermId term, Bound bound, BufferId target) {
  if (const auto* variable = std::get_if<rules::FixpointTerm>(&plan_.terms[term])) {
    const std::uint32_t group = plan_.rules_->fixpoints[variable->fixpoint].group;
    for (const Repeated& open : repeated_) {
      if (open.group == group) return;  // the buffer holds the value of the previous round
    }
    solve(group, bound);
    return;
  }
  Step step;
  step.target = target;
  step.is_set = plan_.kinds[term] == rules::Kind::Set;
  step.kind = StepKind::Test;  // write_op() replaces this kind if the step needs a computation
  std::visit([&](const auto& op) { write_op(op, bound, step); }, plan_.terms[term]);
  done_[target] = true;
  if (step.kind != StepKind::Test) append(term, step);
}

void StepWriter::append(TermId term, Step step) {
  // A term that contains no variable of the group is computed once, outside the iteration.
  for (std::size_t i = repeated_.size(); i-- > 0;) {
    if (plan_.open_[repeated_[i].group][term]) {
      repeated_[i].steps.push_back(step);
      return;
    }
  }
  (*lists_)[static_cast<std::size_t>(plan_.levels[term])].push_back(step);
}

void StepWriter::solve(std::uint32_t group, Bound bound) {
  const FixpointGroup& members = plan_.groups[group];
  repeated_.push_back({group, {}});
  for (const TermId body : members.bodies) compute(body, bound);
  std::vector<Step> steps = std::move(repeated_.back().steps);
  repeated_.pop_back();
  const auto held = [&](TermId term) { return buffer_of(term, is_fixed(term) ? Bound::Lower : bound); };
  std::vector<Plan::Assignment> solution;
  for (std::size_t i = 0; i < members.variables.size(); ++i) {
    solution.push_back({held(members.variables[i]), held(members.bodies[i])});
    done_[solution.back().variable] = true;
  }
  Step step;
  step.kind = StepKind::Fixpoint;
  step.left = static_cast<BufferId>(plan_.solutions.size());
  plan_.solutions.push_back(std::move(solution));
  step.extra = static_cast<std::uint32_t>(steps.size());
  // Groups are solved in increasing order, so no group that is being solved contains this group.
  auto& list = (*lists_)[static_cast<std::size_t>(plan_.levels[members.variables.front()])];
  list.push_back(step);
  list.insert(list.end(), steps.begin(), steps.end());
}

void StepWriter::unary(StepKind kind, TermId argument, Bound bound, Step& step) {
  step.left = compute(argument, bound);
  step.kind = kind;
}

void StepWriter::binary(StepKind kind, TermId left, TermId right, Bound bound, Step& step) {
  step.left = compute(left, bound);
  step.right = compute(right, bound);
  step.kind = kind;
}

void StepWriter::write_op(const rules::BaseSetTerm& op, Bound, Step& step) {
  step.kind = StepKind::LoadSet;
  step.extra = static_cast<std::uint32_t>(op.set);
}
void StepWriter::write_op(const rules::BaseRelationTerm& op, Bound bound, Step& step) {
  if (op.relation == BaseRelation::FromReads) {
    const bool fixed = is_exact();
    step.kind = StepKind::FromReads;
    const bool known_sources = open_ > static_cast<std::size_t>(Level::ReadsFrom);
    step.left = buffer_of(plan_.reads_from, known_sources ? Bound::Lower : bound);
    step.right = buffer_of(plan_.coherence, fixed ? Bound::Lower : bound);
  } else if (!is_chosen(op.relation)) {
    step.kind = StepKind::LoadRelation;
    step.extra = static_cast<std::uint32_t>(op.relation);
  }
}
void StepWriter::write_op(const rules::OrderTerm&, Bound, Step&) {}
void StepWriter::write_op(const rules::FixpointTerm&, Bound, Step&) { AMBIT_ASSERT(false); }
void StepWriter::write_op(const rules::Empty&, Bound, Step& step) { step.kind = StepKind::Clear; }
void StepWriter::write_op(const rules::Union& op, Bound bound, Step& step) {
  binary(StepKind::Union, op.left, op.right, bound, step);
}
void StepWriter::write_op(const rules::Intersection& op, Bound bound, Step& step) {
  binary(StepKind::Intersection, op.left, op.right, bound, step);
}
void StepWriter::write_op(const rules::Difference& op, Bound bound, Step& step) {
  step.left = compute(op.left, bound);
  step.right = compute(op.right, opposite(bound));
  step.kind = StepKind::Difference;
}
void StepWriter::write_op(const rules::Complement& op, Bound bound, Step& step) {
  unary(StepKind::Complement, op.argument, opposite(bound), step);
}
void StepWriter::write_op(const rules::Sequence& op, Bound bound, Step& step) {
  if (const auto* left = std::get_if<rules::SetIdentity>(&plan_.terms[op.left])) {
    binary(StepKind::RestrictRows, left->set, op.right, bound, step);
  } else if (const auto* right = std::get_if<rules::SetIdentity>(&plan_.terms[op.right])) {
    binary(StepKind::RestrictColumns, op.left, right->set, bound, step);
  } else {
    binary(StepKind::Sequence, op.left, op.right, bound, step);
  }
}
void StepWriter::write_op(const rules::Inverse& op, Bound bound, Step& step) {
  unary(StepKind::Inverse, op.argument, bound, step);
}
void StepWriter::write_op(const rules::TransitiveClosure& op, Bound bound, Step& step) {
  unary(StepKind::Closure, op.argument, bound, step);
}
void StepWriter::write_op(const rules::Optional& op, Bound bound, Step& step) {
  unary(StepKind::Optional, op.argument, bound, step);
}
void StepWriter::write_op(const rules::SetIdentity& op, Bound bound, Step& step) {
  unary(StepKind::SetIdentity, op.set, bound, step);
}
void StepWriter::write_op(const rules::Product& op, Bound bound, Step& step) {
  binary(StepKind::Product, op.left, op.right, bound, step);
}
void StepWriter::write_op(const rules::Domain& op, Bound bound, Step& step) {
  unary(StepKind::Domain, op.argument, bound, step);
}
void StepWriter::write_op(const rules::Range& op, Bound bound, Step& step) {
  unary(StepKind::Range, op.argument, bound, step);
}

}  // namespace ambit::eval
