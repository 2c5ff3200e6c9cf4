#include <fmt/format.h>

#include <map>
#include <utility>

#include "parser/litmus/thread_lowering.h"

namespace ambit::parser::litmus {

/// Branches to the labels of a switch, in their order, then to default or the end. One label for each statement of the
/// block; those of other statements are not used.
std::vector<Label> ThreadLowering::switch_jumps(const StatementNode& node, Label end) {
  std::vector<Label> labels;
  for (std::size_t i = 0; i < node.children.size(); ++i) labels.push_back(code_.new_label());
  Operand chosen = value(*node.condition);
  if (chosen.type.is_pointer && !chosen.erroneous) {
    error(node.condition->span, "a switch needs an integer, not a pointer");
    chosen.erroneous = true;
  }
  if (!chosen.erroneous) chosen.expr = stable(std::move(chosen.expr), node.condition->span);
  Label otherwise = end;
  std::map<Value, SourceSpan> known;
  bool has_default = false;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const StatementNode& child = node.children[i];
    if (child.kind == StatementKind::Default) {
      if (std::exchange(has_default, true)) error(child.span, "a switch has one default, but this is another one");
      otherwise = labels[i];
    }
    if (child.kind != StatementKind::Case) continue;
    const Operand label = value(*child.condition);
    if (label.erroneous || chosen.erroneous) continue;
    if (!label.expr.is_constant()) {
      if (values_matter()) error(child.condition->span, "the value of a case must be a constant");
      continue;
    }
    if (!known.emplace(label.expr.constant, child.span).second && values_matter()) {
      error(child.condition->span, fmt::format("the case {} is given twice", label.expr.constant));
    }
    code_.branch(make_binary(Op::Equal, chosen.expr, label.expr), labels[i], child.span);
  }
  code_.jump(otherwise, node.span);
  return labels;
}

void ThreadLowering::switch_statement(const StatementNode& node) {
  const Label end = code_.new_label();
  const std::vector<Label> labels = switch_jumps(node, end);
  const KnownValues before = known_values();
  const NameSet assigned = functions_.assigned(node);
  loops_.push_back({end, end, true});
  scopes_.emplace_back();
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const StatementNode& child = node.children[i];
    if (child.kind != StatementKind::Case && child.kind != StatementKind::Default) {
      statement(child);
      continue;
    }
    const bool falls_through = code_.reachable();
    code_.bind(labels[i]);
    if (!code_.reachable()) continue;
    if (!code_.has_jumps_to(labels[i])) continue;  // by falling through only
    const KnownValues reached = known_values();
    restore(before);
    if (falls_through) merge(reached);
  }
  scopes_.pop_back();
  loops_.pop_back();
  code_.bind(end);
  forget(assigned);
}

}  // namespace ambit::parser::litmus
