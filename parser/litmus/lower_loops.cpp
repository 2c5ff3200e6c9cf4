#include <fmt/format.h>

#include <utility>

#include "parser/litmus/thread_lowering.h"

namespace ambit::parser::litmus {
namespace {

/// Longest `for` loop whose iterations are written out here; longer ones stay loops.
constexpr int kMaxUnrolledTrips = 64;

/// The variable that `for (int i = ...; ...; i++)` counts with; empty for other loops.
std::string_view loop_counter(const StatementNode& node) {
  const StatementNode& init = node.children[0];
  if (!node.condition || node.condition->kind != ExprKind::Binary || node.expressions.size() != 1) return {};
  if (init.kind == StatementKind::Declaration) {
    return init.declaration.declarators.size() == 1 ? init.declaration.declarators.front().name.text
                                                    : std::string_view{};
  }
  if (init.kind != StatementKind::Expression || init.expressions.size() != 1) return {};
  const ExprNode& assignment = init.expressions.front();
  if (assignment.kind != ExprKind::Assign || assignment.children.front().kind != ExprKind::Name) return {};
  return assignment.children.front().name;
}

bool uses_any(const ExprNode& node, const NameSet& names) {
  if (node.kind == ExprKind::Name && names.contains(node.name)) return true;
  for (const ExprNode& child : node.children) {
    if (uses_any(child, names)) return true;
  }
  return false;
}

}  // namespace

NameSet ThreadLowering::assigned_in_loop(const StatementNode& node) {
  NameSet names = functions_.assigned(node.children.back());
  if (node.condition) names.merge(NameSet(functions_.assigned(*node.condition)));
  for (const ExprNode& step : node.expressions) names.merge(NameSet(functions_.assigned(step)));
  return names;
}

void ThreadLowering::loop_body(const StatementNode& node, Label continue_label, Label exit) {
  loops_.push_back({continue_label, exit, false});
  scopes_.emplace_back();
  statement(node.children.back());
  scopes_.pop_back();
  loops_.pop_back();
}

/// while, do and for in general. What the loop assigns is unknown from its head on.
void ThreadLowering::loop(const StatementNode& node) {
  const NameSet assigned = assigned_in_loop(node);
  const Label head = code_.new_label();
  const Label continue_label = code_.new_label();
  const Label exit = code_.new_label();
  forget(assigned);
  code_.bind(head);
  const bool test_first = node.kind != StatementKind::Do;
  if (test_first && node.condition) jump_if(*node.condition, false, exit);
  loop_body(node, continue_label, exit);
  code_.bind(continue_label);
  forget(assigned);
  for (const ExprNode& step : node.expressions) code_.reachable() ? discard(step) : dead(step);
  if (test_first) {
    code_.jump(head, node.span);
  } else if (code_.reachable()) {
    jump_if(*node.condition, true, head);
  } else {
    dead(*node.condition);
  }
  code_.bind(exit);
  forget(assigned);
}

/// Number of iterations where the counter starts at a known value and only the step changes it; nothing when that is
/// not so or there are more than kMaxUnrolledTrips.
std::optional<int> ThreadLowering::constant_trip_count(const StatementNode& node) {
  const std::string_view counter = loop_counter(node);
  if (counter.empty() || code_.is_muted() || !code_.reachable()) return std::nullopt;
  Variable* variable = find_variable(counter);
  if (variable == nullptr || variable->kind != Variable::Kind::Register || !variable->known) return std::nullopt;
  const ExprNode& step = node.expressions.front();
  const NameSet& in_step = functions_.assigned(step);
  const NameSet& in_body = functions_.assigned(node.children.back());
  if (in_step != NameSet{counter} || in_body.contains(counter) || uses_any(*node.condition, in_body) ||
      uses_any(step, in_body) || has_effects(*node.condition) ||
      (step.kind == ExprKind::Assign && has_effects(step.children.back()))) {
    return std::nullopt;
  }
  std::optional<int> trips;
  const KnownValues known = known_values();
  code_.mute();
  for (int trip = 0; trip <= kMaxUnrolledTrips; ++trip) {
    const Operand goes_on = value(*node.condition);
    if (goes_on.erroneous || !goes_on.expr.is_constant()) break;
    if (goes_on.expr.constant == 0) {
      trips = trip;
      break;
    }
    discard(step);
  }
  code_.unmute();
  restore(known);
  return trips;
}

void ThreadLowering::unrolled(const StatementNode& node, int trips) {
  const NameSet assigned = assigned_in_loop(node);
  const Label exit = code_.new_label();
  for (int trip = 0; trip < trips && code_.reachable(); ++trip) {
    const Label continue_label = code_.new_label();
    loop_body(node, continue_label, exit);
    code_.bind(continue_label);
    if (code_.has_jumps_to(continue_label)) forget(functions_.assigned(node.children.back()));
    if (code_.reachable()) discard(node.expressions.front());
  }
  if (trips == 0) {
    loops_.push_back({exit, exit, false});
    dead(node.children.back());
    loops_.pop_back();
  }
  code_.bind(exit);
  if (code_.has_jumps_to(exit)) forget(assigned);
}

void ThreadLowering::for_statement(const StatementNode& node) {
  scopes_.emplace_back();
  statement(node.children.front());
  if (const std::optional<int> trips = constant_trip_count(node)) {
    unrolled(node, *trips);
  } else {
    loop(node);
  }
  scopes_.pop_back();
}

}  // namespace ambit::parser::litmus
