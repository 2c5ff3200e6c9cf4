#include "parser/litmus/function_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::parser::litmus {

namespace {

/// Returns whether the functions have equal parameter types. If two functions have the same name and equal parameter
/// types, the second redeclares the first.
bool has_same_parameters(const FunctionNode& a, const FunctionNode& b) {
  return std::ranges::equal(a.parameters, b.parameters, {}, &Declarator::type, &Declarator::type);
}

}  // namespace

FunctionTable::FunctionTable(const std::vector<FunctionNode>& functions, Reporter& reporter) {
  for (const FunctionNode& function : functions) {
    std::vector<const FunctionNode*>& overloads = by_name_[function.name.text];
    const auto known = std::ranges::find_if(
        overloads, [&](const FunctionNode* other) { return has_same_parameters(*other, function); });
    if (known == overloads.end()) {
      overloads.push_back(&function);
    } else if ((*known)->body && function.body) {
      const std::string_view types = function.parameters.empty() ? "" : ", with the same types of parameters,";
      reporter.error(
          function.name.span, fmt::format("the function '{}' is defined twice", function.name.text),
          fmt::format("the first definition{} is in line {}: rename one of them", types, (*known)->name.span.line));
    } else if (function.body) {
      *known = &function;  // the definition replaces the declaration
    }
  }
}

const FunctionNode* FunctionTable::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second.front();
}

const std::vector<const FunctionNode*>& FunctionTable::overloads(std::string_view name) const {
  static const std::vector<const FunctionNode*> kNone;
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? kNone : found->second;
}

std::vector<std::string_view> FunctionTable::names(bool kernels) const {
  std::vector<std::string_view> names;
  for (const auto& [name, overloads] : by_name_) {
    if (overloads.front()->is_kernel == kernels) names.push_back(name);
  }
  return names;
}

void FunctionTable::collect(const StatementNode& node, NameSet& names) const {
  if (node.condition) collect(*node.condition, names);
  for (const ExprNode& expr : node.expressions) collect(expr, names);
  for (const StatementNode& child : node.children) collect(child, names);
  for (const Declarator& declarator : node.declaration.declarators) {
    if (declarator.initializer != Declarator::Initializer::None) names.insert(declarator.name.text);
    for (const ExprNode& value : declarator.values) {
      collect(value, names);
      // After int& r = x, an assignment to r changes x.
      if (declarator.type.is_reference && value.kind == ExprKind::Name) names.insert(value.name);
    }
  }
}

void FunctionTable::collect(const ExprNode& node, NameSet& names) const {
  for (const ExprNode& child : node.children) collect(child, names);
  if (node.lambda != nullptr) collect(*node.lambda->function.body, names);
  const bool assigns = node.kind == ExprKind::Assign || node.kind == ExprKind::Increment ||
                       (node.kind == ExprKind::Unary && node.unary == UnaryOp::AddressOf);
  if (assigns) {
    const ExprNode* changed = &node.children.front();
    while (changed->kind == ExprKind::Member && !changed->is_arrow) changed = &changed->children.front();
    names.insert(changed->kind == ExprKind::Name ? changed->name : kElement);
  }
  if (node.kind != ExprKind::Call) return;
  const ExprNode& callee = node.children.front();
  const auto is_member = [&](const auto& known) { return known.first.ends_with(fmt::format("::{}", callee.name)); };
  if (std::ranges::any_of(by_name_, is_member)) names.insert(kElement);
  if (callee.kind == ExprKind::Member) {  // compare_exchange_strong(expected, ...) writes to `expected`
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      if (node.children[i].kind == ExprKind::Name) names.insert(node.children[i].name);
    }
  }
  // a call that AsmLowering lowers writes the output operands
  if (callee.kind == ExprKind::Name && callee.name == "__asm" && node.children.size() > 2) {
    const Value outputs = node.children[2].value;
    for (std::size_t i = 4; i < node.children.size() && static_cast<Value>(i) < 4 + 2 * outputs; i += 2) {
      names.insert(node.children[i].kind == ExprKind::Name ? node.children[i].name : kElement);
    }
  }
  if (callee.kind != ExprKind::Name) return;
  for (const FunctionNode* function : overloads(callee.name)) {
    for (std::size_t i = 0; i < function->parameters.size() && i + 1 < node.children.size(); ++i) {
      const ExprNode& argument = node.children[i + 1];
      if (!function->parameters[i].type.is_reference) continue;
      names.insert(argument.kind == ExprKind::Name ? argument.name : kElement);
    }
  }
}

}  // namespace ambit::parser::litmus
