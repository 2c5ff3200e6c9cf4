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
  variable.type.is_volatile = type.is_pointer && type.is_volatile;  // only the target of a pointer can be volatile
  variable.reg = named_register(std::string(name), type);
  return add(std::move(variable), span);
}

Variable& VariableTable::add_array(Variable array, std::size_t length, MemoryTable& memory, SourceSpan span) {
  array.kind = Variable::Kind::Array;
  array.elements = make_array(std::string(array.name), array.type, length, memory).elements;
  return add(std::move(array), span);
}

Variable& VariableTable::make_array(const std::string& name, const Type& type, std::size_t length,
                                    MemoryTable& memory) {
  Variable array{.type = type, .kind = Variable::Kind::Array};
  for (std::size_t i = 0; i < length; ++i) {
    if (type.inner[0] != 0) {
      array.elements.push_back(&make_array(fmt::format("{}[{}]", name, i), row_type(type), type.inner[0], memory));
      continue;
    }
    array.elements.push_back(&make_element(fmt::format("{}[{}]", name, i), type, memory));
  }
  return variables_.emplace_back(std::move(array));
}

/// Makes a scalar or struct that is an element of an array or a field of a struct. `path` names its registers.
Variable& VariableTable::make_element(const std::string& path, const Type& type, MemoryTable& memory) {
  if (is_struct_value(type)) return make_struct(path, type, memory);
  Variable scalar{.type = type};
  scalar.reg = named_register(path, type);
  return variables_.emplace_back(std::move(scalar));
}

Variable& VariableTable::add_struct(std::string_view name, const Type& type, MemoryTable& memory, SourceSpan span) {
  Variable made = make_struct(name.empty() ? "%value" : std::string(name), type, memory);
  made.name = name;
  return name.empty() ? variables_.emplace_back(std::move(made)) : add(std::move(made), span);
}

Variable& VariableTable::make_struct(const std::string& name, const Type& type, MemoryTable& memory) {
  Variable made{.type = type, .kind = Variable::Kind::Struct};
  for (const StructLayout::Field& field : memory.layout(*type.structure).fields) {
    const std::string path = fmt::format("{}.{}", name, field.name);
    const Type held = is_struct_value(field.type) ? field.type : cell_type(field.type);
    made.elements.push_back(field.is_array ? &make_array(path, held, field.length, memory)
                                           : &make_element(path, held, memory));
  }
  return variables_.emplace_back(std::move(made));
}

void VariableTable::add_parameter(Variable parameter, MemoryTable& memory) {
  if (parameter.name.empty()) return;
  const SourceSpan span = parameter.place.span;
  if (parameter.kind == Variable::Kind::Struct) {
    assign(add_struct(parameter.name, parameter.type, memory, span), std::move(parameter.initial), span);
  } else if (parameter.kind == Variable::Kind::Register) {
    const bool keeps = parameter.initial.type.is_shared_address;
    Operand initial = keeps ? std::move(parameter.initial) : Operand(std::move(parameter.alias), parameter.type);
    assign(add_register(parameter.name, parameter.type), std::move(initial), span);
  } else {
    add(std::move(parameter), span);
  }
}

/// Returns a register for a variable. Variables with the same name and type share a register if their lifetimes do not
/// overlap, for example the counters of two loops. A variable in the body of an unrolled loop has one register.
RegisterId VariableTable::named_register(const std::string& name, const Type& type) {
  const ScalarType scalar = register_type(type);
  const bool is_opaque = type.is_opaque && !type.is_pointer;
  const std::string base = scopes_.back().prefix + name;
  std::string candidate = base;
  for (int copy = 2;; ++copy) {
    const auto known = named_registers_.find(candidate);
    if (known == named_registers_.end()) break;
    const Register& same = code_.registers()[known->second];
    if (same.type == scalar && same.is_opaque == is_opaque && !is_live(known->second)) return known->second;
    candidate = fmt::format("{}'{}", base, copy);
  }
  return named_registers_[candidate] = code_.add_register(candidate, scalar, is_opaque);
}

bool VariableTable::is_live(RegisterId reg) const {
  if (kept_registers_.contains(reg)) return true;
  return std::any_of(scopes_.begin(), scopes_.end(), [&](const Names& scope) {
    return std::any_of(scope.by_name.begin(), scope.by_name.end(),
                       [&](const auto& named) { return holds(variables_[named.second], reg); });
  });
}

bool VariableTable::holds(const Variable& variable, RegisterId reg) {
  if (variable.kind == Variable::Kind::Register) return variable.reg == reg;
  return std::any_of(variable.elements.begin(), variable.elements.end(),
                     [&](const Variable* element) { return holds(*element, reg); });
}

Variable* VariableTable::find(std::string_view name) {
  std::size_t limit = variables_.size();
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].by_name.find(name);
    if (found != scopes_[i].by_name.end() && found->second < limit) return &variables_[found->second];
    if (!scopes_[i].is_function) continue;
    const Closure* closure = scopes_[i].closure;
    if (closure == nullptr) break;
    i = closure->scope + 1;
    limit = std::min(limit, closure->variables);
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
  if (variable.kind == Variable::Kind::Struct) {
    if (converted.erroneous) return;
    // In `v = {v.y, v.x}`, the assignment to v.x must not change the value that is then assigned to v.y.
    for (Operand& field : converted.fields) field.expr = code_.stable(std::move(field.expr), span);
    std::size_t next = 0;
    return set_elements(variable, converted.fields, next, span);
  }
  if (variable.kind == Variable::Kind::Alias) {
    reporter_.error(span, fmt::format("'{}' cannot be assigned", variable.name));
    return;
  }
  variable.known.reset();
  variable.kept = 0;
  const bool is_known = converted.expr.is_constant() && !converted.erroneous && !variable.is_addressed;
  if (is_known) variable.known = converted.expr.constant;
  if (is_known && converted.type.is_shared_address && !variable.type.is_pointer) {
    variable.kept = number_of(converted.type);
  }
  if (code_.retarget(converted.expr, variable.reg)) return;
  code_.emit(Assign{variable.reg, std::move(converted.expr)}, span);
}

void VariableTable::set_elements(Variable& variable, const std::vector<Operand>& values, std::size_t& next,
                                 SourceSpan span) {
  for (Variable* element : variable.elements) {
    if (!element->elements.empty()) {
      set_elements(*element, values, next, span);
    } else if (next < values.size()) {
      assign(*element, values[next++], span);
    }
  }
}

void VariableTable::read_elements(const Variable& variable, SourceSpan span, std::vector<Operand>& values) {
  for (const Variable* element : variable.elements) {
    if (element->elements.empty()) {
      values.push_back(read(*element, span));
    } else {
      read_elements(*element, span, values);
    }
  }
}

Operand VariableTable::read(const Variable& variable, SourceSpan span) {
  if (variable.erroneous) return std::nullopt;
  if (variable.kind == Variable::Kind::Struct) {
    Operand whole(Expr{}, variable.type);
    read_elements(variable, span, whole.fields);
    return whole;
  }
  if (variable.never_written) {
    reporter_.error(span, fmt::format("'{}' is used but never written", variable.name),
                    fmt::format("give it a value: {} {} = 0;", to_string(variable.type), variable.name));
    return std::nullopt;
  }
  if (variable.kind == Variable::Kind::Alias) {
    Operand named(variable.alias, variable.type);
    named.local = variable.local;
    named.closure = variable.closure;
    return named;
  }
  if (variable.known && variable.kept > 0) {
    return {Expr::make_constant(*variable.known, kAddress), kept_[variable.kept - 1]};
  }
  const ScalarType type = register_type(variable.type);
  return {variable.known ? Expr::make_constant(*variable.known, type) : Expr::make_register(variable.reg, type),
          variable.type};
}

std::uint32_t VariableTable::number_of(const Type& kept) {
  const auto found = std::ranges::find(kept_, kept);
  if (found != kept_.end()) return static_cast<std::uint32_t>(found - kept_.begin()) + 1;
  kept_.push_back(kept);
  return static_cast<std::uint32_t>(kept_.size());
}

VariableTable::KnownValues VariableTable::known_values() const {
  KnownValues values;
  values.reserve(variables_.size());
  for (const Variable& variable : variables_) values.push_back({variable.known, variable.kept});
  return values;
}

void VariableTable::restore(const KnownValues& values) {
  for (std::size_t i = 0; i < std::min(values.size(), variables_.size()); ++i) {
    variables_[i].known = values[i].value;
    variables_[i].kept = values[i].kept;
  }
}

void VariableTable::merge(const KnownValues& other) {
  for (std::size_t i = 0; i < std::min(other.size(), variables_.size()); ++i) {
    if (Known{variables_[i].known, variables_[i].kept} != other[i]) variables_[i].known.reset();
  }
}

void VariableTable::forget(const NameSet& names) {
  if (names.empty()) return;
  for (const std::string_view name : names) {
    Variable* variable = find(name);
    if (variable != nullptr && variable->place.variable != nullptr) variable = variable->place.variable;
    if (variable != nullptr) variable->known.reset();
  }
  // kElement represents the elements of all arrays, so the values of all elements become unknown.
  for (const Variable& array : variables_) {
    for (Variable* element : array.elements) element->known.reset();
  }
}

/// Restores the state in which known_values() returned `known`: removes variables that were added later, and restores
/// the known values of the other variables.
void VariableTable::return_to(const KnownValues& known) {
  for (Names& scope : scopes_) {
    std::erase_if(scope.by_name, [&](const auto& named) { return named.second >= known.size(); });
  }
  std::erase_if(named_registers_, [&](const auto& named) { return named.second >= code_.registers().size(); });
  variables_.resize(known.size());
  restore(known);
}

}  // namespace ambit::parser::litmus
