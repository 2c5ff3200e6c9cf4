#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/litmus/thread_lowering.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {

ThreadLowering::KnownValues ThreadLowering::known_values() const {
  KnownValues values;
  values.reserve(variables_.size());
  for (const Variable& variable : variables_) values.push_back(variable.known);
  return values;
}

void ThreadLowering::restore(const KnownValues& values) {
  for (std::size_t i = 0; i < std::min(values.size(), variables_.size()); ++i) variables_[i].known = values[i];
}

void ThreadLowering::merge(const KnownValues& other) {
  for (std::size_t i = 0; i < std::min(other.size(), variables_.size()); ++i) {
    if (variables_[i].known != other[i]) variables_[i].known.reset();
  }
}

void ThreadLowering::forget(const NameSet& names) {
  for (const std::string_view name : names) {
    Variable* variable = find_variable(name);
    if (variable != nullptr && variable->kind == Variable::Kind::Reference && variable->place.variable) {
      variable = &variables_[*variable->place.variable];
    }
    if (variable != nullptr) variable->known.reset();
  }
  // The names say nothing of elements: those of every array may have been assigned.
  for (const Variable& array : variables_) {
    for (std::size_t i = 0; i < array.length; ++i) variables_[array.elements + i].known.reset();
  }
}

ThreadLowering::Variable* ThreadLowering::find_variable(std::string_view name) {
  for (std::size_t i = scopes_.size(); i-- > frames_.back().scope_base;) {
    if (const auto found = scopes_[i].find(name); found != scopes_[i].end()) return &variables_[found->second];
  }
  return nullptr;
}

std::vector<std::string_view> ThreadLowering::visible_names() const {
  std::vector<std::string_view> names;
  for (std::size_t i = frames_.back().scope_base; i < scopes_.size(); ++i) {
    for (const auto& [name, index] : scopes_[i]) names.push_back(name);
  }
  const std::vector<std::string_view> memory = memory_.names();
  names.insert(names.end(), memory.begin(), memory.end());
  return names;
}

bool ThreadLowering::is_register_live(RegisterId reg) const {
  return std::any_of(scopes_.begin(), scopes_.end(), [&](const auto& scope) {
    return std::any_of(scope.begin(), scope.end(), [&](const auto& named) {
      const Variable& variable = variables_[named.second];
      if (variable.kind == Variable::Kind::Register) return variable.reg == reg;
      for (std::size_t i = 0; i < variable.length; ++i) {
        if (variables_[variable.elements + i].reg == reg) return true;
      }
      return false;
    });
  });
}

std::size_t ThreadLowering::add_variable(Variable variable, SourceSpan span) {
  const std::size_t index = variables_.size();
  if (!scopes_.back().emplace(variable.name, index).second) {
    error(span, fmt::format("'{}' is declared twice", variable.name));
  }
  variables_.push_back(std::move(variable));
  return index;
}

/// Variables of one name and type share a register when they do not live at the same time: the counters of two loops,
/// a declaration in an unrolled body.
std::size_t ThreadLowering::add_register_variable(std::string_view name, const Type& type) {
  const ScalarType scalar = type.is_pointer ? kAddress : type.scalar;
  const std::string base = fmt::format("{}{}", frames_.back().prefix, name);
  std::string candidate = base;
  for (int copy = 2;; ++copy) {
    const auto known = named_registers_.find(candidate);
    if (known == named_registers_.end()) break;
    if (code_.registers()[known->second].type == scalar && !is_register_live(known->second)) break;
    candidate = fmt::format("{}'{}", base, copy);
  }
  const auto [place, fresh] = named_registers_.try_emplace(candidate, 0);
  if (fresh) place->second = code_.add_register(candidate, scalar);
  Variable variable;
  variable.name = name;
  variable.type = type;
  variable.type.is_volatile = type.is_pointer && type.is_volatile;  // a volatile local variable is an ordinary one
  variable.reg = place->second;
  return add_variable(std::move(variable), {});
}

void ThreadLowering::declare(const Declaration& declaration) {
  for (const Declarator& declarator : declaration.declarators) {
    if (declaration.storage.is_shared) {
      declare_shared(declarator, declaration.storage);
    } else if (declarator.type.is_atomic_ref || declarator.type.is_reference) {
      declare_reference(declarator);
    } else {
      declare_one(declarator);
    }
  }
}

void ThreadLowering::declare_shared(const Declarator& declarator, const Storage& storage) {
  std::optional<Value> length;
  if (declarator.length && !fold_constant(*declarator.length, memory_)) {  // by a constant of the function
    const Operand computed = value(*declarator.length);
    if (!computed.erroneous && computed.expr.is_constant()) length = computed.expr.constant;
  }
  MemoryEntry* entry = memory_.declare_shared(declarator, storage, length, block());
  Variable variable;
  variable.name = declarator.name.text;
  variable.type = declarator.type;
  if (entry != nullptr) {
    const Value address = code_.is_muted() ? 0 : make_address(memory_.object(*entry, block()), 0);
    variable.type.is_pointer = entry->is_array;
    variable.kind = entry->is_array ? Variable::Kind::Alias : Variable::Kind::Reference;
    variable.alias = Expr::make_constant(address, kAddress);
    variable.place = {std::nullopt, variable.alias, declarator.type, declarator.name.span};
  }
  variable.erroneous = entry == nullptr;
  add_variable(std::move(variable), declarator.name.span);
}

/// cuda::atomic_ref<T, S> a(x); int& r = x;
void ThreadLowering::declare_reference(const Declarator& declarator) {
  Variable variable;
  variable.name = declarator.name.text;
  variable.type = declarator.type;
  if (declarator.values.size() != 1) {
    error(declarator.name.span, fmt::format("'{}' needs the object that it refers to", declarator.name.text),
          fmt::format("write {} {}(x);", to_string(declarator.type), declarator.name.text));
  } else if (std::optional<Place> bound = place(declarator.values.front())) {
    const SourceSpan span = declarator.values.front().span;
    const Type& type = declarator.type;
    if (type.is_atomic_ref && bound->variable) {
      error(span, fmt::format("'{}' is a variable of the thread, not memory", variables_[*bound->variable].name));
    } else if (bound->type.is_pointer || bound->type.structure != type.structure ||
               (type.structure == nullptr && bound->type.scalar != type.scalar) ||
               (bound->type.atomic_scope && (type.is_atomic_ref || bound->type.atomic_scope != type.atomic_scope))) {
      error(span,
            fmt::format("'{}' refers to {}, but this is {}", declarator.name.text,
                        to_string(Type{.scalar = type.scalar, .structure = type.structure}), to_string(bound->type)));
    } else {
      if (!bound->variable) bound->address = stable(std::move(bound->address), span);
      bound->type.is_volatile = !type.is_atomic_ref && (bound->type.is_volatile || type.is_volatile);
      bound->type.atomic_scope = type.atomic_scope;
      bound->type.is_atomic_ref = false;
      variable.kind = Variable::Kind::Reference;
      variable.place = *std::move(bound);
    }
  }
  variable.erroneous = variable.kind != Variable::Kind::Reference;
  add_variable(std::move(variable), declarator.name.span);
}

void ThreadLowering::declare_one(const Declarator& declarator) {
  Type type = declarator.type;
  const SourceSpan span = declarator.name.span;
  if (type.atomic_scope && !type.is_pointer) {
    error(span, fmt::format("'{}' must live in memory", declarator.name.text),
          "declare it in the { } block or as __device__ or __shared__");
    type.atomic_scope.reset();
  }
  if (type.structure != nullptr && !type.is_pointer) {
    error(span, fmt::format("'{}' is a struct of one thread, which is not supported", declarator.name.text),
          "use one variable for each field, or declare it __shared__");
    type.structure = nullptr;
  }
  if (declarator.is_array) return declare_array(declarator, type);
  std::optional<Operand> initial;
  if (declarator.initializer != Declarator::Initializer::None) {
    if (declarator.values.size() == 1) {
      const ExprNode& node = declarator.values.front();
      if (type.is_auto) {
        Operand deduced = value(node);
        const bool pointer = type.is_pointer;
        type = deduced.type;
        type.is_pointer |= pointer;
        if (!type.is_pointer) type.atomic_scope.reset();
        if (!type.is_pointer) type.is_volatile = false;
        if (type.group) {  // auto grid = cooperative_groups::this_grid();
          Variable group;
          group.name = declarator.name.text;
          group.type = type;
          group.kind = Variable::Kind::Alias;
          add_variable(std::move(group), span);
          return;
        }
        deduced.expr = stable(std::move(deduced.expr), node.span);
        initial = std::move(deduced);
      }
    } else if (!declarator.values.empty() || declarator.initializer != Declarator::Initializer::Braces) {
      error(span, fmt::format("'{}' needs one initial value", declarator.name.text));
    }
  } else if (type.is_auto) {
    error(span, fmt::format("the type of '{}' cannot be deduced: it has no initial value", declarator.name.text));
    type.is_auto = false;
  }
  const std::size_t index = add_register_variable(declarator.name.text, type);
  Variable& variable = variables_[index];
  variable.never_written = declarator.initializer == Declarator::Initializer::None &&
                           !functions_.assigned(*frames_.back().body).contains(declarator.name.text);
  if (declarator.initializer == Declarator::Initializer::None) return;
  if (!initial && declarator.values.size() == 1) {
    variables_[index].never_written = true;  // int r = r + 1: the r on the right is the new one
    initial = value(declarator.values.front());
    variables_[index].never_written = false;
  }
  if (!initial) initial = integer(Expr::make_constant(0));
  assign_variable(index, *std::move(initial), declarator.values.empty() ? span : declarator.values.front().span);
}

void ThreadLowering::assign_variable(std::size_t index, Operand assigned, SourceSpan span) {
  if (variables_[index].erroneous) return;
  const Type type = variables_[index].type;
  Operand converted = convert(std::move(assigned), type, span);
  Variable& variable = variables_[index];
  if (variable.kind == Variable::Kind::Alias) {
    error(span, fmt::format("'{}' cannot be assigned", variable.name));
    return;
  }
  variable.known.reset();
  if (converted.expr.is_constant() && !converted.erroneous) variable.known = converted.expr.constant;
  if (code_.retarget(converted.expr, variable.reg)) return;
  code_.emit(Assign{variable.reg, std::move(converted.expr)}, span);
}

Operand ThreadLowering::read_variable(std::size_t index, SourceSpan span) {
  const Variable& variable = variables_[index];
  Operand operand;
  operand.type = variable.type;
  if (variable.erroneous) return erroneous();
  if (variable.never_written) {
    error(span, fmt::format("'{}' is used but never written", variable.name),
          fmt::format("give it a value: {} {} = 0;", to_string(variable.type), variable.name));
    return erroneous();
  }
  const ScalarType scalar = variable.type.is_pointer ? kAddress : variable.type.scalar;
  if (variable.kind == Variable::Kind::Alias) {
    operand.expr = variable.alias;
  } else if (variable.known) {
    operand.expr = Expr::make_constant(*variable.known, scalar);
  } else {
    operand.expr = Expr::make_register(variable.reg, scalar);
  }
  return operand;
}

}  // namespace ambit::parser::litmus
