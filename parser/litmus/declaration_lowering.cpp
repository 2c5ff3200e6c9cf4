#include "parser/litmus/statement_lowering.h"

#include <fmt/format.h>

#include "parser/text/memory_table.h"

namespace ambit::parser::litmus {

void StatementLowering::declare(const Declaration& declaration) {
  for (const Declarator& declarator : declaration.declarators) {
    if (declaration.storage.is_shared) {
      declare_shared(declarator, declaration.storage);
    } else if (declarator.type.is_atomic_ref || declarator.type.is_reference) {
      declare_reference(declarator);
    } else {
      declare_variable(declarator);
    }
  }
}

void StatementLowering::declare_shared(const Declarator& declarator, const Storage& storage) {
  std::optional<Value> length;
  // the length may use a constant that the function declares
  if (declarator.length && !fold_constant(*declarator.length, thread_.memory)) {
    const Operand computed = thread_.value(*declarator.length);
    if (!computed.erroneous && computed.expr.is_constant()) length = computed.expr.constant;
  }
  MemoryEntry* entry = thread_.memory.declare_shared(declarator, storage, length, thread_.block());
  Variable variable{.name = declarator.name.text, .type = declarator.type};
  if (entry != nullptr) {
    variable.type = entry->type;
    const bool exists = thread_.values_matter();
    const Value address = exists ? make_address(thread_.memory.object(*entry, thread_.block()), 0) : 0;
    variable.type.is_pointer = entry->is_array;
    variable.kind = entry->is_array ? Variable::Kind::Alias : Variable::Kind::Reference;
    variable.alias = Expr::make_constant(address, kAddress);
    variable.array_length = entry->is_array ? entry->length : 0;
    variable.place = {nullptr, variable.alias, entry->type, declarator.name.span};
  }
  variable.erroneous = entry == nullptr;
  thread_.variables.add(std::move(variable), declarator.name.span);
}

/// Declares references: cuda::atomic_ref<T, S> a(x) and int& r = x.
void StatementLowering::declare_reference(const Declarator& declarator) {
  Variable variable{.name = declarator.name.text, .type = declarator.type};
  if (std::optional<Place> bound = bind_reference(declarator)) {
    variable.kind = Variable::Kind::Reference;
    variable.place = *std::move(bound);
  } else {
    variable.erroneous = true;
  }
  thread_.variables.add(std::move(variable), declarator.name.span);
}

std::optional<Place> StatementLowering::bind_reference(const Declarator& declarator) {
  const std::string_view name = declarator.name.text;
  const Type& type = declarator.type;
  if (declarator.values.size() != 1) {
    return thread_.error(declarator.name.span, fmt::format("the reference '{}' needs an object", name),
                         fmt::format("write {} {}(x);", to_string(type), name));
  }
  const SourceSpan span = declarator.values.front().span;
  std::optional<Place> bound = places_.place(declarator.values.front());
  if (!bound) return std::nullopt;
  if (type.is_atomic_ref && bound->variable) {
    return thread_.error(span, fmt::format("'{}' is a local variable, not memory", bound->variable->name));
  }
  if (bound->type.is_pointer || bound->type.structure != type.structure ||
      (type.structure == nullptr && bound->type.scalar != type.scalar) || bound->type.target != type.target ||
      (bound->type.atomic_scope && (type.is_atomic_ref || bound->type.atomic_scope != type.atomic_scope))) {
    const Type object{.scalar = type.scalar, .target = type.target, .structure = type.structure};
    return thread_.error(
        span, fmt::format("'{}' refers to {}, but this is {}", name, to_string(object), to_string(bound->type)));
  }
  if (!bound->variable) bound->address = thread_.code.stable(std::move(bound->address), span);
  bound->type.is_volatile = !type.is_atomic_ref && (bound->type.is_volatile || type.is_volatile);
  bound->type.atomic_scope = type.atomic_scope;
  bound->type.is_atomic_ref = false;
  return bound;
}

void StatementLowering::declare_variable(const Declarator& declarator) {
  const std::string_view name = declarator.name.text;
  const SourceSpan span = declarator.name.span;
  Type type = declarator.type;
  if (type.atomic_scope && !type.is_pointer) {
    thread_.error(span, fmt::format("'{}' must be in memory", name),
                  "declare it in the { } block or as __device__ or __shared__");
    type.atomic_scope.reset();
  }
  if (declarator.is_array) return declare_array(declarator, type);
  if (is_struct_value(type)) return declare_struct(declarator, type);
  if (declarator.initializer == Declarator::Initializer::None) {
    if (std::exchange(type.is_auto, false)) {
      thread_.error(span, fmt::format("the type of '{}' cannot be deduced: it has no initial value", name));
    }
    Variable& variable = thread_.variables.add_register(name, type, span);
    variable.never_written = !thread_.functions.assigned(thread_.frame->body).contains(name);
    return;
  }
  const bool has_value = declarator.values.size() == 1;
  if (has_value && type.is_auto) return declare_auto(declarator, type);
  if (!has_value && (!declarator.values.empty() || declarator.initializer != Declarator::Initializer::Braces)) {
    thread_.error(span, fmt::format("'{}' needs one initial value", name));
  }
  Variable& variable = thread_.variables.add_register(name, type, span);
  Operand initial = Operand::constant(0);
  if (has_value) {
    // the initializer may use the new variable, which has no value yet: int r = r + 1
    const auto unset = set_for_scope(variable.never_written, true);
    initial = thread_.value(declarator.values.front());
  }
  if (is_view_of_opaque(variable.type, initial.type)) variable.type = initial.type;
  const bool changes = initial.expr.is_constant() && thread_.functions.assigned(thread_.frame->body).contains(name);
  if (initial.type.is_shared_address && !type.is_pointer && type.scalar.bits >= 32 &&
      !changes) {  // uint32_t a = smem_ptr(&x);
    variable.kind = Variable::Kind::Alias;
    variable.type = initial.type;
    variable.alias = code_.stable(std::move(initial.expr), span);
    return;
  }
  if (initial.local) {  // int* p = &x for a local x: p is an alias, and code cannot assign p
    const Operand pointer = thread_.convert(std::move(initial), variable.type, span);
    variable.kind = Variable::Kind::Alias;
    variable.alias = pointer.expr;
    variable.local = pointer.local;
    variable.erroneous = pointer.erroneous;
    return;
  }
  thread_.variables.assign(variable, std::move(initial),
                           declarator.values.empty() ? span : declarator.values.front().span);
}

/// Declares S s; S s = other; S s = {1, 2}; S s(1, 2).
void StatementLowering::declare_struct(const Declarator& declarator, const Type& type) {
  const SourceSpan span = declarator.name.span;
  const std::vector<ExprNode>& values = declarator.values;
  Operand initial;
  const bool is_copy = values.size() == 1 && values.front().kind != ExprKind::Braces &&
                       (declarator.initializer == Declarator::Initializer::Value || is_struct(values.front(), type));
  if (is_copy) {
    initial = thread_.value(values.front());
  } else {
    initial = expressions_.construct(type, values, span);
  }
  thread_.variables.assign(thread_.variables.add_struct(declarator.name.text, type, thread_.memory, span),
                           std::move(initial), span);
}

/// Returns whether the value of `node` is a struct of type `type`.
bool StatementLowering::is_struct(const ExprNode& node, const Type& type) {
  const auto checkpoint = thread_.variables.checkpoint();
  const auto muted = code_.mute();
  const Operand value = thread_.value(node);
  return is_struct_value(value.type) && value.type.structure == type.structure;
}

/// Declares a structured binding, such as auto [a, b] = e; for a struct with two fields.
void StatementLowering::bind_names(const StatementNode& node) {
  const ExprNode& initial = node.expressions.front();
  Operand whole = thread_.value(initial);
  if (whole.erroneous) return;
  const bool is_struct = is_struct_value(whole.type);
  if (!is_struct || whole.fields.size() != node.words.size() ||
      thread_.memory.layout(*whole.type.structure).fields.size() != node.words.size()) {
    thread_.error(initial.span,
                  fmt::format("expected a struct with {} fields, found {}", node.words.size(), to_string(whole.type)));
    return;
  }
  for (std::size_t i = 0; i < node.words.size(); ++i) {
    Operand& field = whole.fields[i];
    field.expr = code_.stable(std::move(field.expr), node.span);
  }
  for (std::size_t i = 0; i < node.words.size(); ++i) {
    Variable& made = thread_.variables.add_register(node.words[i].text, whole.fields[i].type, node.words[i].span);
    thread_.variables.assign(made, std::move(whole.fields[i]), node.span);
  }
}

void StatementLowering::declare_auto(const Declarator& declarator, const Type& type) {
  const ExprNode& node = declarator.values.front();
  Operand initial = thread_.value(node);
  Type deduced = initial.type;
  deduced.is_pointer |= type.is_pointer;
  if (!deduced.is_pointer) {
    deduced.atomic_scope.reset();
    deduced.is_volatile = false;
  }
  if (initial.closure != nullptr) {  // auto f = [&](int i) { ... };
    thread_.variables.add(
        {.name = declarator.name.text, .type = deduced, .kind = Variable::Kind::Alias, .closure = initial.closure},
        declarator.name.span);
    return;
  }
  if (deduced.group) {  // auto grid = cooperative_groups::this_grid();
    thread_.variables.add({.name = declarator.name.text, .type = deduced, .kind = Variable::Kind::Alias},
                          declarator.name.span);
    return;
  }
  if (is_struct_value(deduced)) {
    Variable& made = thread_.variables.add_struct(declarator.name.text, deduced, thread_.memory, declarator.name.span);
    return thread_.variables.assign(made, std::move(initial), node.span);
  }
  initial.expr = thread_.code.stable(std::move(initial.expr), node.span);
  thread_.variables.assign(thread_.variables.add_register(declarator.name.text, deduced, declarator.name.span),
                           std::move(initial), node.span);
}

/// Declares an array T a[N] in a function: N variables. An index selects a variable and must be constant.
void StatementLowering::declare_array(const Declarator& declarator, const Type& type) {
  constexpr Value kMaxLength = 1024;
  const SourceSpan span = declarator.name.span;
  const std::vector<ExprNode>& values = declarator.values;
  const std::optional<Value> length = array_length(declarator);
  const bool fits = length && *length >= 1 && *length <= kMaxLength;
  if (length && !fits) {
    thread_.error(span, fmt::format("the length of '{}' is {}; it must be between 1 and {}", declarator.name.text,
                                    *length, kMaxLength));
  }
  const std::size_t count = fits ? static_cast<std::size_t>(*length) : 0;
  const Type element = thread_.memory.with_inner_lengths(type, declarator);
  const Variable& array = thread_.variables.add_array(
      {.name = declarator.name.text, .type = element, .erroneous = !fits || type.is_auto}, count, thread_.memory, span);
  if (declarator.initializer == Declarator::Initializer::None) return;
  if (values.size() > count && count > 0) {
    thread_.error(values[count].span,
                  fmt::format("'{}' has {} elements but {} initial values", array.name, count, values.size()));
    return;
  }
  if (element.inner[0] != 0) return set_rows(array, values, span);
  for (std::size_t i = 0; i < count; ++i) {
    Operand initial;
    if (is_struct_value(type)) {
      const bool braced = i < values.size() && values[i].kind == ExprKind::Braces;
      initial = i < values.size() && !braced
                    ? thread_.value(values[i])
                    : expressions_.construct(type, braced ? values[i].children : std::vector<ExprNode>{}, span);
    } else {
      initial = i < values.size() ? thread_.value(values[i]) : Operand::constant(0);
    }
    thread_.variables.assign(*array.elements[i], std::move(initial), span);
  }
}

/// Sets the initial values of an array of arrays. Each row of values is in braces.
void StatementLowering::set_rows(const Variable& array, const std::vector<ExprNode>& values, SourceSpan span) {
  for (std::size_t i = 0; i < array.elements.size(); ++i) {
    Variable& element = *array.elements[i];
    const ExprNode* value = i < values.size() ? &values[i] : nullptr;
    const bool is_row = element.kind == Variable::Kind::Array;
    if (value != nullptr && is_row != (value->kind == ExprKind::Braces)) {
      thread_.error(value->span, "the initial values of an array of arrays need braces around each row");
      return;
    }
    if (is_row) {
      set_rows(element, value != nullptr ? value->children : std::vector<ExprNode>{}, span);
    } else {
      thread_.variables.assign(element, value != nullptr ? thread_.value(*value) : Operand::constant(0), span);
    }
  }
}

std::optional<Value> StatementLowering::array_length(const Declarator& declarator) {
  if (declarator.length) {
    const Operand length = thread_.value(*declarator.length);
    if (length.erroneous) return std::nullopt;
    if (length.expr.is_constant()) return length.expr.constant;
    return thread_.error(declarator.length->span, "the length of an array must be a constant");
  }
  if (declarator.initializer != Declarator::Initializer::Braces) return std::nullopt;
  return static_cast<Value>(declarator.values.size());
}

}  // namespace ambit::parser::litmus
