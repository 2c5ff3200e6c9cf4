#include "parser/litmus/statement_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ambit::parser::litmus {

void StatementLowering::statements(const std::vector<StatementNode>& nodes) {
  const auto block = thread_.variables.open_block();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (code_.reachable()) {
      statement(nodes[i]);
      continue;
    }
    // The unreachable statements after a jump are checked together, because a statement may use earlier declarations.
    return thread_.check_only(&nodes[i], [&] {
      for (; i < nodes.size(); ++i) statement(nodes[i]);
    });
  }
}

void StatementLowering::statement(const StatementNode& node) {
  if (!thread_.spend(node.span)) return;
  if (!code_.reachable()) return thread_.check_only(&node, [&] { statement(node); });
  switch (node.kind) {
    case StatementKind::Block: return statements(node.children);
    case StatementKind::If: return if_statement(node);
    case StatementKind::While:
    case StatementKind::Do: return loop(node);
    case StatementKind::For: return for_statement(node);
    case StatementKind::Switch: return switch_statement(node);
    case StatementKind::Case:
    case StatementKind::Default:
      thread_.error(
          node.span,
          fmt::format("'{}' outside the block of a switch", node.kind == StatementKind::Case ? "case" : "default"),
          "write the label directly in the braces of a switch");
      return;
    case StatementKind::Break:
    case StatementKind::Continue: return leave_loop(node);
    case StatementKind::Return: return return_statement(node);
    case StatementKind::Declaration: return declare(node.declaration);
    case StatementKind::Expression:
      if (declares_unknown_type(node)) return;
      for (const ExprNode& expr : node.expressions) expressions_.discard(expr);
      return;
    case StatementKind::Binding: return bind_names(node);
    case StatementKind::Empty: return;
    case StatementKind::Transaction: return transaction(node);
    case StatementKind::Abort: return abort_statement(node);
  }
}

/// Reports an error for `foo *p = e;` and `foo *p;` if foo is not a variable. The grammar reads `foo *p` as a
/// product.
bool StatementLowering::declares_unknown_type(const StatementNode& node) {
  if (node.expressions.size() != 1) return false;
  const ExprNode& whole = node.expressions.front();
  const ExprNode& product = whole.kind == ExprKind::Assign && !whole.compound ? whole.children.front() : whole;
  if (product.kind != ExprKind::Binary || product.op != Op::Multiply) return false;
  const ExprNode& name = product.children.front();
  const bool is_known = name.kind != ExprKind::Name || thread_.variables.find(name.name) != nullptr ||
                        thread_.memory.find(name.name) != nullptr || places_.is_field_of_self(name.name);
  if (is_known || product.children.back().kind != ExprKind::Name) return false;
  thread_.error(name.span, fmt::format("unknown type '{}'", name.name), "declare it in this file");
  return true;
}

void StatementLowering::statement_in_block(const StatementNode& node) {
  const auto block = thread_.variables.open_block();
  statement(node);
}

void StatementLowering::if_statement(const StatementNode& node) {
  const bool has_else = node.children.size() > 1;
  const Label otherwise = code_.new_label();
  const Label end = code_.new_label();
  expressions_.jump_unless(*node.condition, otherwise);
  const VariableTable::KnownValues before = thread_.variables.known_values();
  statement_in_block(node.children[0]);
  const VariableTable::KnownValues after_then = thread_.variables.known_values();
  const bool then_falls_through = code_.reachable();
  if (has_else) code_.jump(end, node.span);
  code_.bind(otherwise);
  const bool otherwise_reached = code_.reachable();
  if (otherwise_reached) thread_.variables.restore(before);
  if (has_else) statement_in_block(node.children[1]);
  bool else_falls_through = otherwise_reached && (code_.reachable() || !has_else);
  // Without an else branch, both paths meet at the label `otherwise`.
  if (!has_else && !code_.has_jumps_to(otherwise)) else_falls_through = false;
  code_.bind(end);
  if (!then_falls_through) return;
  if (else_falls_through) {
    thread_.variables.merge(after_then);
  } else {
    thread_.variables.restore(after_then);
  }
}

void StatementLowering::return_statement(const StatementNode& node) {
  Frame& frame = *thread_.frame;
  if (thread_.transaction != nullptr && thread_.transaction->frame == &frame) return report_leaving(node, "return");
  const bool inlined = frame.caller != nullptr;
  const Type& result = frame.result_type;
  if (result.is_void && !result.is_pointer && !node.expressions.empty()) {
    thread_.error(node.span,
                  inlined ? fmt::format("'{}' returns void, but this return has a value", frame.function->name.text)
                          : "the code of a thread returns no value");
    return;
  }
  if (!result.is_void && node.expressions.empty()) {
    thread_.error(node.span, fmt::format("'{}' must return a value", frame.function->name.text));
    return;
  }
  if (!node.expressions.empty()) {
    const ExprNode& expression = node.expressions.front();
    const bool braced = expression.kind == ExprKind::Braces && is_struct_value(result);
    Operand returned = braced           ? expressions_.construct(result, expression.children, expression.span)
                       : result.is_auto ? thread_.value(expression)
                                        : thread_.convert(thread_.value(expression), result, expression.span);
    if (frame.tail_return == &node) {
      frame.tail_value = std::move(returned);
      return;
    }
    if (frame.result_struct != nullptr) {
      thread_.variables.assign(*frame.result_struct, std::move(returned), node.span);
    } else {
      code_.emit(Assign{*frame.result, std::move(returned.expr)}, node.span);
    }
  }
  code_.jump(frame.end, node.span);
}

/// Emits the branches to the cases of a switch, in order, then the jump to default or the end. Returns one label for
/// each statement of the block. Labels of statements other than case and default are unused.
std::vector<Label> StatementLowering::switch_jumps(const StatementNode& node, Label end) {
  std::vector<Label> labels;
  for (std::size_t i = 0; i < node.children.size(); ++i) labels.push_back(code_.new_label());
  Operand chosen = thread_.value(*node.condition);
  if ((chosen.type.is_pointer || chosen.type.is_opaque || is_struct_value(chosen.type)) && !chosen.erroneous) {
    chosen = thread_.error(node.condition->span,
                           chosen.type.is_pointer
                               ? "a switch needs an integer, not a pointer"
                               : fmt::format("a switch needs an integer, not {}", to_string(chosen.type)));
  }
  if (!chosen.erroneous) chosen.expr = code_.stable(std::move(chosen.expr), node.condition->span);
  Label otherwise = end;
  std::map<Value, SourceSpan> known;
  bool has_default = false;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const StatementNode& child = node.children[i];
    if (child.kind == StatementKind::Default) {
      if (std::exchange(has_default, true)) {
        thread_.error(child.span, "the switch has a second default");
      }
      otherwise = labels[i];
    }
    if (child.kind != StatementKind::Case) continue;
    const Operand label = thread_.value(*child.condition);
    if (label.erroneous || chosen.erroneous) continue;
    if (!label.expr.is_constant()) {
      if (thread_.values_matter()) thread_.error(child.condition->span, "the value of a case must be a constant");
      continue;
    }
    if (!known.emplace(label.expr.constant, child.span).second && thread_.values_matter()) {
      thread_.error(child.condition->span, fmt::format("duplicate case {}", label.expr.constant));
    }
    code_.branch(make_binary(Op::Equal, chosen.expr, label.expr), labels[i], child.span);
  }
  code_.jump(otherwise, node.span);
  return labels;
}

void StatementLowering::switch_statement(const StatementNode& node) {
  const Label end = code_.new_label();
  const std::vector<Label> labels = switch_jumps(node, end);
  const VariableTable::KnownValues before = thread_.variables.known_values();
  {
    const Loop around{.break_label = end, .continue_label = std::nullopt, .outer = thread_.frame->loop};
    const auto inside = set_for_scope(thread_.frame->loop, &around);
    const auto block = thread_.variables.open_block();
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const StatementNode& child = node.children[i];
      const auto has_no_value = [](const Declarator& d) { return d.initializer == Declarator::Initializer::None; };
      if (child.kind == StatementKind::Declaration && !code_.reachable() &&
          std::ranges::all_of(child.declaration.declarators, has_no_value)) {
        declare(child.declaration);  // code after a later label may use the declaration
        continue;
      }
      if (child.kind != StatementKind::Case && child.kind != StatementKind::Default) {
        statement(child);
        continue;
      }
      const bool falls_through = code_.reachable();
      code_.bind(labels[i]);
      // If no jump leads to the label, the label is reached only from the previous statement.
      if (!code_.reachable() || !code_.has_jumps_to(labels[i])) continue;
      const VariableTable::KnownValues reached = thread_.variables.known_values();
      thread_.variables.restore(before);
      if (falls_through) thread_.variables.merge(reached);
    }
  }
  code_.bind(end);
  thread_.variables.forget(thread_.functions.assigned(node));
}

}  // namespace ambit::parser::litmus
