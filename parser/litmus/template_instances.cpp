// Instantiates functions that have template parameters or `auto` parameters.

#include <algorithm>

#include "parser/litmus/function_table.h"

namespace ambit::parser::litmus {
namespace {

void substitute(StatementNode& node, const TypesByName& types);

void substitute(ExprNode& node, const TypesByName& types) {
  const bool is_variable = !node.type.variable.empty();
  node.type = substituted(node.type, types);
  // If T is a number type, T(x) is a cast.
  if (node.kind == ExprKind::Construct && is_variable && node.type.structure == nullptr) {
    if (node.children.empty()) {
      ExprNode zero;
      zero.span = node.span;
      node.children.push_back(zero);
    }
    node.kind = ExprKind::Cast;
  }
  for (ExprNode& child : node.children) substitute(child, types);
  if (node.lambda == nullptr) return;
  const auto made = std::make_shared<LambdaNode>(*node.lambda);
  made->function.return_type = substituted(made->function.return_type, types);
  for (Declarator& parameter : made->function.parameters) parameter.type = substituted(parameter.type, types);
  substitute(*made->function.body, types);
  node.type.lambda = made.get();
  node.lambda = made;
}

void substitute(Declarator& declarator, const TypesByName& types) {
  declarator.type = substituted(declarator.type, types);
  if (declarator.length) substitute(*declarator.length, types);
  for (ExprNode& length : declarator.inner_lengths) substitute(length, types);
  for (ExprNode& value : declarator.values) substitute(value, types);
}

void substitute(StatementNode& node, const TypesByName& types) {
  if (node.condition) substitute(*node.condition, types);
  for (ExprNode& expr : node.expressions) substitute(expr, types);
  for (StatementNode& child : node.children) substitute(child, types);
  for (Declarator& declarator : node.declaration.declarators) substitute(declarator, types);
}

}  // namespace

bool has_variable_types(const FunctionNode& function) {
  return std::ranges::any_of(function.parameters, [](const Declarator& parameter) {
    return !parameter.type.variable.empty() || parameter.type.is_auto;
  });
}

Type substituted(const Type& type, const TypesByName& types) {
  const auto found = type.variable.empty() ? types.end() : types.find(type.variable);
  if (found == types.end()) return type;
  Type made = found->second;
  if (type.is_pointer && made.is_pointer) made = cell_of_pointers(made);
  made.is_pointer |= type.is_pointer;
  made.is_reference = type.is_reference;
  made.is_volatile |= type.is_volatile;
  if (type.inner[0] != 0) made.inner = type.inner;
  if (type.atomic_scope) {
    made.atomic_scope = type.atomic_scope;
    made.is_atomic_ref = type.is_atomic_ref;
  }
  return made;
}

const FunctionNode& FunctionTable::instance(const FunctionNode& function, const TypesByName& types) {
  for (const Instance& known : instances_) {
    if (known.function == &function && known.types == types) return known.made;
  }
  FunctionNode& made = instances_.emplace_back(Instance{&function, types, function}).made;
  made.return_type = substituted(made.return_type, types);
  for (Declarator& parameter : made.parameters) {
    if (parameter.type.is_auto) {
      const bool is_reference = parameter.type.is_reference;
      const auto found = types.find(parameter.name.text);
      if (found != types.end()) parameter.type = found->second;
      parameter.type.is_reference = is_reference;
    }
    substitute(parameter, types);
  }
  if (made.body) substitute(*made.body, types);
  return made;
}

}  // namespace ambit::parser::litmus
