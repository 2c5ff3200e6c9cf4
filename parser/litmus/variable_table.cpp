#include "parser/litmus/variable_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::parser::litmus {

Variable& VariableTable::add(Variable variable, SourceSpan span) {
  if (!scopes_.back().by_name.emplace(variable.name, variables_.size()).second) {
    reporter_.error(span, fmt::format("'{}' is declared twice", variable.name));
  }
  return variables_.emplace_back(std::move(variable));
}

Variable& VariableTable::add_register(std::string_view name, const Type& type, SourceSpan span) {
  Variable variable{.name = name, .type = type};
  variable.type.is_volatile = type.is_pointer && type.is_volatile;  // local variables are never volatile
  variable.reg = named_register(std::string(name), register_type(type));
  return add(std::move(variable), span);
}

Variable& VariableTable::add_array(Variable array, std::size_t length, SourceSpan span) {
  array.kind = Variable::Kind::Array;
  for (std::size_t i = 0; i < length; ++i) {
    Variable element{.name = array.name, .type = array.type};
    element.reg = named_register(fmt::format("{}[{}]", array.name, i), register_type(array.type));
    array.elements.push_back(&variables_.emplace_back(std::move(element)));
  }
  return add(std::move(array), span);
}

void VariableTable::add_parameter(Variable parameter) {
  const SourceSpan span = parameter.place.span;
  if (parameter.kind == Variable::Kind::Register) {
    assign(add_register(parameter.name, parameter.type), {std::move(parameter.alias), parameter.type}, span);
  } else {
    add(std::move(parameter), span);
  }
}

/// Variables of the same name and type share a register when they do not live at the same time: the counters of two
/// loops, a declaration in an unrolled body.
RegisterId VariableTable::named_register(const std::string& name, ScalarType type) {
  const std::string base = scopes_.back().prefix + name;
  std::string candidate = base;
  for (int copy = 2;; ++copy) {
    const auto known = named_registers_.find(candidate);
    if (known == named_registers_.end()) break;
    if (code_.registers()[known->second].type == type && !is_live(known->second)) return known->second;
    candidate = fmt::format("{}'{}", base, copy);
  }
  return named_registers_[candidate] = code_.add_register(candidate, type);
}

bool VariableTable::is_live(RegisterId reg) const {
  return std::any_of(scopes_.begin(), scopes_.end(), [&](const Names& scope) {
    return std::any_of(scope.by_name.begin(), scope.by_name.end(), [&](const auto& named) {
      const Variable& variable = variables_[named.second];
      if (variable.kind == Variable::Kind::Register) return variable.reg == reg;
      return std::any_of(variable.elements.begin(), variable.elements.end(),
                         [&](const Variable* element) { return element->reg == reg; });
    });
  });
}

Variable* VariableTable::find(std::string_view name) {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].by_name.find(name);
    if (found != scopes_[i].by_name.end()) return &variables_[found->second];
    if (scopes_[i].is_function) break;
  }
  return nullptr;
}

std::vector<std::string_view> VariableTable::names() const {
  std::vector<std::string_view> names;
  std::size_t scope = scopes_.size() - 1;
  while (!scopes_[scope].is_function) --scope;
  for (; scope < scopes_.size(); ++scope) {
    for (const auto& [name, index] : scopes_[scope].by_name) names.push_back(name);
  }
  return names;
}

void VariableTable::assign(Variable& variable, Operand value, SourceSpan span) {
  if (variable.erroneous) return;
  Operand converted = convert(std::move(value), variable.type, span, reporter_);
  if (variable.kind == Variable::Kind::Alias) {
    reporter_.error(span, fmt::format("'{}' cannot be assigned", variable.name));
    return;
  }
  variable.known.reset();
  if (converted.expr.is_constant() && !converted.erroneous) variable.known = converted.expr.constant;
  if (code_.retarget(converted.expr, variable.reg)) return;
  code_.emit(Assign{variable.reg, std::move(converted.expr)}, span);
}

Operand VariableTable::read(const Variable& variable, SourceSpan span) {
  if (variable.erroneous) return std::nullopt;
  if (variable.never_written) {
    reporter_.error(span, fmt::format("'{}' is used but never written", variable.name),
                    fmt::format("give it a value: {} {} = 0;", to_string(variable.type), variable.name));
    return std::nullopt;
  }
  if (variable.kind == Variable::Kind::Alias) return {variable.alias, variable.type};
  const ScalarType type = register_type(variable.type);
  return {variable.known ? Expr::make_constant(*variable.known, type) : Expr::make_register(variable.reg, type),
          variable.type};
}

VariableTable::KnownValues VariableTable::known_values() const {
  KnownValues values;
  values.reserve(variables_.size());
  for (const Variable& variable : variables_) values.push_back(variable.known);
  return values;
}

void VariableTable::restore(const KnownValues& values) {
  for (std::size_t i = 0; i < std::min(values.size(), variables_.size()); ++i) variables_[i].known = values[i];
}

void VariableTable::merge(const KnownValues& other) {
  for (std::size_t i = 0; i < std::min(other.size(), variables_.size()); ++i) {
    if (variables_[i].known != other[i]) variables_[i].known.reset();
  }
}

void VariableTable::forget(const NameSet& names) {
  for (const std::string_view name : names) {
    Variable* variable = find(name);
    if (variable != nullptr && variable->place.variable != nullptr) variable = variable->place.variable;
    if (variable != nullptr) variable->known.reset();
  }
  // The names do not tell elements apart: the code may have assigned those of every array.
  for (const Variable& array : variables_) {
    for (Variable* element : array.elements) element->known.reset();
  }
}

/// Removes the variables that came after `known` was taken, and restores the values of the others.
void VariableTable::return_to(const KnownValues& known) {
  for (Names& scope : scopes_) {
    std::erase_if(scope.by_name, [&](const auto& named) { return named.second >= known.size(); });
  }
  std::erase_if(named_registers_, [&](const auto& named) { return named.second >= code_.registers().size(); });
  variables_.resize(known.size());
  restore(known);
}

}  // namespace ambit::parser::litmus
