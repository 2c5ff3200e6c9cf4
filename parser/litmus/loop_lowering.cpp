#include "parser/litmus/statement_lowering.h"

#include <algorithm>

namespace ambit::parser::litmus {
namespace {

/// Maximum number of iterations of a `for` loop that is unrolled. Loops with more iterations are not unrolled.
constexpr int kMaxUnrolledTrips = 64;

/// Returns the counter of `for (int i = ...; ...; i++)`; an empty string for other loops.
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
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const ExprNode& child) { return uses_any(child, names); });
}

}  // namespace

NameSet StatementLowering::assigned_in_loop(const StatementNode& node) {
  NameSet names = thread_.functions.assigned(node.children.back());
  if (node.condition) names.merge(NameSet(thread_.functions.assigned(*node.condition)));
  for (const ExprNode& step : node.expressions) names.merge(NameSet(thread_.functions.assigned(step)));
  return names;
}

void StatementLowering::leave_loop(const StatementNode& node) {
  const bool is_break = node.kind == StatementKind::Break;
  const Loop* loop = thread_.frame->loop;
  while (loop != nullptr && !is_break && !loop->continue_label) loop = loop->outer;
  if (loop == nullptr) {
    thread_.error(node.span, is_break ? "'break' outside a loop or switch" : "'continue' outside a loop");
  } else if (thread_.transaction != nullptr && thread_.transaction->frame == thread_.frame &&
             thread_.transaction->is_in(loop)) {
    report_leaving(node, is_break ? "break" : "continue");
  } else {
    code_.jump(is_break ? loop->break_label : *loop->continue_label, node.span);
  }
}

void StatementLowering::loop_body(const StatementNode& node, Label continue_label, Label exit) {
  const Loop around{.break_label = exit, .continue_label = continue_label, .outer = thread_.frame->loop};
  const auto inside = set_for_scope(thread_.frame->loop, &around);
  statement_in_block(node.children.back());
}

/// Lowers a loop that is not unrolled. The values of variables that the loop assigns are unknown from the loop's head.
void StatementLowering::loop(const StatementNode& node) {
  const NameSet assigned = assigned_in_loop(node);
  const Label head = code_.new_label();
  const Label continue_label = code_.new_label();
  const Label exit = code_.new_label();
  thread_.variables.forget(assigned);
  code_.bind(head);
  const bool test_first = node.kind != StatementKind::Do;
  if (test_first && node.condition) expressions_.jump_unless(*node.condition, exit);
  loop_body(node, continue_label, exit);
  code_.bind(continue_label);
  thread_.variables.forget(assigned);
  for (const ExprNode& step : node.expressions) {
    code_.reachable() ? expressions_.discard(step) : thread_.check_only(step);
  }
  if (test_first) {
    code_.jump(head, node.span);
  } else if (code_.reachable()) {
    expressions_.jump_if(*node.condition, head);
  } else {
    thread_.check_only(*node.condition);
  }
  code_.bind(exit);
  thread_.variables.forget(assigned);
}

/// Returns the number of iterations of a `for` loop. Returns nothing in three cases: the counter's initial value is
/// unknown; code other than the step changes the counter; the number is greater than kMaxUnrolledTrips.
std::optional<int> StatementLowering::constant_trip_count(const StatementNode& node) {
  const std::string_view counter = loop_counter(node);
  if (counter.empty() || code_.is_muted() || !code_.reachable()) return std::nullopt;
  const Variable* variable = thread_.variables.find(counter);
  if (variable == nullptr || variable->kind != Variable::Kind::Register || !variable->known) return std::nullopt;
  const ExprNode& step = node.expressions.front();
  const NameSet& in_step = thread_.functions.assigned(step);
  const NameSet& in_body = thread_.functions.assigned(node.children.back());
  if (in_step != NameSet{counter} || in_body.contains(counter) || uses_any(*node.condition, in_body) ||
      uses_any(step, in_body) || expressions_.has_effects(*node.condition) ||
      (step.kind == ExprKind::Assign && expressions_.has_effects(step.children.back()))) {
    return std::nullopt;
  }
  const auto checkpoint = thread_.variables.checkpoint();
  const auto muted = code_.mute();
  for (int trip = 0; trip <= kMaxUnrolledTrips; ++trip) {
    const Operand goes_on = thread_.value(*node.condition);
    if (goes_on.erroneous || !goes_on.expr.is_constant()) break;
    if (goes_on.expr.constant == 0) return trip;
    expressions_.discard(step);
  }
  return std::nullopt;
}

void StatementLowering::unrolled(const StatementNode& node, int trips) {
  const StatementNode& body = node.children.back();
  const Label exit = code_.new_label();
  for (int trip = 0; trip < trips && code_.reachable(); ++trip) {
    const Label continue_label = code_.new_label();
    loop_body(node, continue_label, exit);
    code_.bind(continue_label);
    if (code_.has_jumps_to(continue_label)) thread_.variables.forget(thread_.functions.assigned(body));
    if (code_.reachable()) expressions_.discard(node.expressions.front());
  }
  if (trips == 0) {
    thread_.check_only(&body, [&] { loop_body(node, exit, exit); });
  }
  code_.bind(exit);
  if (code_.has_jumps_to(exit)) thread_.variables.forget(assigned_in_loop(node));
}

void StatementLowering::for_statement(const StatementNode& node) {
  const auto block = thread_.variables.open_block();
  statement(node.children.front());
  if (const std::optional<int> trips = constant_trip_count(node)) {
    unrolled(node, *trips);
  } else {
    loop(node);
  }
}

}  // namespace ambit::parser::litmus
