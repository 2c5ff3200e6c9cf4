// Lowers lambda expressions and their captures. inlining.cpp lowers calls of lambdas.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "parser/litmus/expression_lowering.h"

namespace ambit::parser::litmus {
namespace {

void collect_names(const StatementNode& node, NameSet& names);

void collect_names(const ExprNode& node, NameSet& names) {
  if (node.kind == ExprKind::Name) names.insert(node.name);
  for (const ExprNode& child : node.children) collect_names(child, names);
  if (node.lambda != nullptr) collect_names(*node.lambda->function.body, names);
}

void collect_names(const StatementNode& node, NameSet& names) {
  if (node.condition) collect_names(*node.condition, names);
  for (const ExprNode& expr : node.expressions) collect_names(expr, names);
  for (const StatementNode& child : node.children) collect_names(child, names);
  for (const Declarator& declarator : node.declaration.declarators) {
    if (declarator.length) collect_names(*declarator.length, names);
    for (const ExprNode& length : declarator.inner_lengths) collect_names(length, names);
    for (const ExprNode& value : declarator.values) collect_names(value, names);
  }
}

bool has_name(const std::vector<Word>& words, std::string_view name) {
  return std::ranges::find(words, name, &Word::text) != words.end();
}

}  // namespace

Operand ExpressionLowering::comma(const ExprNode& node) {
  for (std::size_t i = 0; i + 1 < node.children.size(); ++i) discard(node.children[i]);
  return value(node.children.back());
}

Operand ExpressionLowering::lambda(const ExprNode& node) {
  const auto closure = std::make_shared<Closure>();
  closure->lambda = node.lambda.get();
  closure->self = thread_.frame->self;
  thread_.variables.enclose(*closure);
  NameSet names;
  collect_names(*node.lambda->function.body, names);
  for (const std::string_view name : names) {
    if (!capture(name, *node.lambda, *closure, node.span)) return std::nullopt;
  }
  Operand made(Expr{}, node.type);
  made.closure = closure;
  return made;
}

/// Captures a variable. A lambda may capture a variable by reference and assign it. The value of a captured variable is
/// unknown from this point, because each call of the lambda may change the value.
bool ExpressionLowering::capture(std::string_view name, const LambdaNode& node, Closure& closure, SourceSpan span) {
  Variable* variable = thread_.variables.find(name);
  if (variable == nullptr || variable->erroneous) return true;
  const bool by_reference = has_name(node.references, name) || (node.refers_to_all && !has_name(node.copies, name));
  const bool is_compound = variable->kind == Variable::Kind::Array || variable->kind == Variable::Kind::Struct;
  if (by_reference) {
    const NameSet& assigned = thread_.functions.assigned(*node.function.body);
    const bool changes = assigned.contains(name) || (is_compound && assigned.contains(FunctionTable::kElement));
    const bool is_reference = variable->kind == Variable::Kind::Reference;
    Variable* target = is_reference ? variable->place.variable : variable;
    if (changes && target != nullptr) places_.pointer_to_variable(*target);
    return true;
  }
  const bool is_assigned = thread_.functions.assigned(thread_.frame->body).contains(name);
  const bool is_copied_value = variable->type.is_reference && !variable->type.is_atomic_ref;
  if ((is_compound && is_assigned) || is_copied_value) {
    thread_.error(span, fmt::format("Ambit's reader does not copy '{}' into a lambda", name),
                  fmt::format("capture it by reference: [&{}], or read the file with --compiled", name));
    return false;
  }
  if (variable->kind != Variable::Kind::Register || variable->never_written) return true;
  Operand read = thread_.variables.read(*variable, span);
  Variable copy{.name = variable->name, .type = variable->type, .kind = Variable::Kind::Alias};
  copy.alias = thread_.code.stable(std::move(read.expr), span);
  closure.copies.push_back(std::move(copy));
  return true;
}

}  // namespace ambit::parser::litmus
