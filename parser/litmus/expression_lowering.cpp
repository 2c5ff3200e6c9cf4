#include "parser/litmus/expression_lowering.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::parser::litmus {
namespace {

Type conditional_type(const Operand& first, const Operand& second) {
  if (!first.type.is_pointer && !second.type.is_pointer && (first.type.is_opaque || second.type.is_opaque)) {
    return floating_type(first.type, second.type);
  }
  if (first.type.is_pointer) return first.type;
  if (second.type.is_pointer) return second.type;
  return Type{.scalar = common_type(first.expr.result_type(), second.expr.result_type())};
}

/// Returns whether one type is a pointer in memory and the other is a 64-bit integer. Code that calls CUDA's atomic
/// functions casts between pointers to such types.
bool is_word_view(const Type& to, const Type& from) {
  const auto is_word = [](const Type& type) {
    return !type.target && type.structure == nullptr && !type.is_bool && !type.atomic_scope && type.scalar.bits == 64;
  };
  const auto holds_pointers = [](const Type& type) { return type.target && !type.atomic_scope; };
  return (is_word(to) && holds_pointers(from)) || (holds_pointers(to) && is_word(from));
}

bool is_logical(const ExprNode& node) {
  return node.kind == ExprKind::Binary && (node.op == Op::LogicalAnd || node.op == Op::LogicalOr);
}

}  // namespace

Operand ExpressionLowering::value(const ExprNode& node) {
  if (!thread_.spend(node.span)) return std::nullopt;
  switch (node.kind) {
    case ExprKind::Integer: return Operand::constant(node.value, node.scalar);
    case ExprKind::Floating: return Operand::opaque(node.type);
    case ExprKind::Name: return value_of_name(node);
    case ExprKind::Unary: return value_of_unary(node);
    case ExprKind::Increment: return increment(node, Use::Value);
    case ExprKind::Binary: return value_of_binary(node);
    case ExprKind::Assign: return assign(node, Use::Value);
    case ExprKind::Conditional: return conditional(node);
    case ExprKind::Call: return value_of_call(node);
    case ExprKind::Index: return places_.read(places_.element(node));
    case ExprKind::AtomicRef: return value_of_place(node);
    case ExprKind::Member: return value_of_member(node);
    case ExprKind::Cast: return cast(node);
    case ExprKind::Construct: return construct(node.type, node.children, node.span);
    case ExprKind::SizeOf:
      if (!node.children.empty()) return size_of_value(node.children.front());
      return Operand::constant(static_cast<Value>(thread_.memory.size_of(node.type)), kUnsignedLongLong);
    case ExprKind::AlignOf:
      return Operand::constant(static_cast<Value>(thread_.memory.alignment_of(node.type)), kUnsignedLongLong);
    case ExprKind::Comma: return comma(node);
    case ExprKind::Lambda: return lambda(node);
    case ExprKind::Text:
      return thread_.error(node.span, "a string literal has no value here", "printf and assert take string literals");
    case ExprKind::Braces: return thread_.error(node.span, "expected a value, found a list in braces");
  }
  return std::nullopt;
}

void ExpressionLowering::discard(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::Assign: assign(node, Use::Effects); return;
    case ExprKind::Increment: increment(node, Use::Effects); return;
    case ExprKind::Call: thread_.nodes.call(node, Use::Effects); return;
    case ExprKind::Cast:
      if (node.type.is_void && !node.type.is_pointer) return discard(node.children.front());
      break;
    case ExprKind::Comma:
      for (const ExprNode& child : node.children) discard(child);
      return;
    default: break;
  }
  value(node);
}

Operand ExpressionLowering::value_of_call(const ExprNode& node) {
  Operand result = thread_.nodes.call(node, Use::Value);
  if (!result.type.is_void || result.type.is_pointer || result.erroneous) return result;
  return thread_.error(node.span, "this call returns no value");
}

Operand ExpressionLowering::value_of_place(const ExprNode& node) {
  const std::optional<Place> place = places_.place(node);
  return place ? places_.read(*place) : std::nullopt;
}

Operand ExpressionLowering::value_of_name(const ExprNode& node) {
  if (Variable* variable = thread_.variables.find(node.name)) {
    if (variable->kind == Variable::Kind::Array) {
      return variable->erroneous ? std::nullopt : places_.pointer_to_variable(*variable);
    }
    if (variable->kind != Variable::Kind::Reference) return thread_.variables.read(*variable, node.span);
  } else if (places_.is_field_of_self(node.name)) {
    return places_.read(places_.field_of(*thread_.frame->self, node.name, node.span));
  } else if (MemoryEntry* entry = thread_.memory.find(node.name)) {
    if (entry->constant && entry->type.is_opaque) return Operand::opaque(cell_type(entry->type));
    if (entry->constant) return Operand::constant(*entry->constant, entry->type.scalar);
    if (entry->is_array) return places_.array_address(*entry);
  } else if (node.name == "true" || node.name == "false") {
    return Operand::constant(node.name == "true" ? 1 : 0);
  } else if (node.name == "warpSize" && thread_.setting.kernel) {
    return Operand::constant(32);
  } else if (node.name == "NULL" || node.name == "nullptr") {
    return Operand::constant(0, kLongLong);
  } else {
    return places_.unknown_name(node);
  }
  const std::optional<Place> named = places_.place_of_name(node);
  return named ? places_.read(*named) : std::nullopt;
}

Operand ExpressionLowering::value_of_member(const ExprNode& node) {
  const ExprNode& object = node.children.front();
  if (object.kind != ExprKind::Name || !is_builtin_triple(object.name) ||
      thread_.variables.find(object.name) != nullptr) {
    const bool is_value = object.kind == ExprKind::Call || object.kind == ExprKind::Construct;
    return is_value && !node.is_arrow ? field_of_value(node) : places_.read(places_.field(node));
  }
  if (!thread_.setting.kernel) return places_.unknown_name(object);
  const ThreadSetting::Coordinates& at = *thread_.setting.kernel;
  const ThreadSetting::Triple& triple = object.name == "threadIdx"  ? at.thread
                                        : object.name == "blockIdx" ? at.block
                                        : object.name == "blockDim" ? at.block_dim
                                                                    : at.grid_dim;
  if (node.name.size() == 1 && node.name[0] >= 'x' && node.name[0] <= 'z') {
    return Operand::constant(triple[static_cast<std::size_t>(node.name[0] - 'x')], kUnsigned);
  }
  return thread_.error(node.span, fmt::format("'{}' has no member '{}'", object.name, node.name),
                       "its members are x, y and z");
}

Operand ExpressionLowering::value_of_unary(const ExprNode& node) {
  const ExprNode& child = node.children.front();
  if (node.unary == UnaryOp::AddressOf) return places_.address_of(child);
  if (node.unary == UnaryOp::Dereference) return value_of_place(node);
  Operand operand = value(child);
  if (operand.erroneous) return operand;
  if (!needs_number(operand, node.span)) return std::nullopt;
  if (operand.type.is_pointer && node.unary != UnaryOp::LogicalNot) {
    return thread_.error(node.span, "this operator needs an integer, not a pointer");
  }
  if (operand.type.is_opaque && !operand.type.is_pointer && node.unary != UnaryOp::LogicalNot) {
    if (node.unary != UnaryOp::BitNot) return Operand::opaque(operand.type, {operand});
    return thread_.error(node.span, fmt::format("'~' needs an integer, not {}", to_string(operand.type)));
  }
  return Operand::integer(make_unary(node.unary, std::move(operand.expr)));
}

bool ExpressionLowering::has_effects(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::Integer:
    case ExprKind::Floating:
    case ExprKind::SizeOf:
    case ExprKind::AlignOf:
    case ExprKind::Lambda:
    case ExprKind::Text: return false;
    case ExprKind::Name: {
      const Variable* variable = thread_.variables.find(node.name);
      if (variable != nullptr) return variable->kind == Variable::Kind::Reference && !variable->place.variable;
      if (places_.is_field_of_self(node.name)) return true;
      const MemoryEntry* entry = thread_.memory.find(node.name);
      return entry != nullptr && !entry->constant && !entry->is_array;
    }
    case ExprKind::Member:
      if (places_.part_of_variable(node) != nullptr) return false;
      return !(node.children.front().kind == ExprKind::Name && is_builtin_triple(node.children.front().name));
    case ExprKind::Unary:
      if (node.unary == UnaryOp::Dereference) return true;
      if (node.unary == UnaryOp::AddressOf && node.children.front().kind == ExprKind::Name) return false;
      return has_effects(node.children.front());
    case ExprKind::Binary:
    case ExprKind::Conditional:
    case ExprKind::Cast:
      return std::any_of(node.children.begin(), node.children.end(),
                         [&](const ExprNode& child) { return has_effects(child); });
    default: return true;
  }
}

Operand ExpressionLowering::value_of_binary(const ExprNode& node) {
  const bool logical = is_logical(node);
  const ExprNode& right_node = node.children[1];
  if (node.op == Op::LogicalAnd && right_node.kind == ExprKind::Text) {  // assert(x && "why")
    Operand left = value(node.children[0]);
    return left.erroneous ? left : Operand::integer(to_boolean(std::move(left.expr)));
  }
  if (logical && has_effects(right_node)) return short_circuit(node);
  Operand left = value(node.children[0]);
  if (logical && left.expr.is_constant() && !left.erroneous &&
      (left.expr.constant != 0) == (node.op == Op::LogicalOr)) {
    thread_.check_only(right_node);
    return Operand::constant(node.op == Op::LogicalOr ? 1 : 0);
  }
  // In `r + f(r)`, an assignment in f must not change the value of the left operand, which is already read.
  if (has_effects(right_node) && !left.erroneous && !thread_.functions.assigned(right_node).empty()) {
    left.expr = thread_.code.stable(std::move(left.expr), node.children[0].span);
  }
  Operand right = value(right_node);
  if (left.erroneous || right.erroneous) return std::nullopt;
  if (!needs_number(left, node.children[0].span) || !needs_number(right, right_node.span)) return std::nullopt;
  if (!logical && (left.type.is_pointer || right.type.is_pointer)) {
    return pointer_binary(node, std::move(left), std::move(right));
  }
  if (left.type.is_opaque || right.type.is_opaque) {
    return floating_binary(node.op, std::move(left), std::move(right), node.span);
  }
  if (thread_.reports_division_by_zero(node.op, right.expr, node.span)) return std::nullopt;
  return arithmetic(node.op, std::move(left), std::move(right));
}

/// Lowers sizeof(x), where x may be an array. The operand is not evaluated.
Operand ExpressionLowering::size_of_value(const ExprNode& node) {
  const auto checkpoint = thread_.variables.checkpoint();
  const auto muted = thread_.code.mute();
  const auto size = [&](const Type& type, std::size_t count) {
    return Operand::constant(static_cast<Value>(thread_.memory.size_of(type) * count), kUnsignedLongLong);
  };
  const Variable* variable = places_.part_of_variable(node);
  if (variable != nullptr && variable->kind == Variable::Kind::Array) {
    return size(variable->type, variable->elements.size() * static_cast<std::size_t>(row_length(variable->type)));
  }
  MemoryEntry* entry = node.kind == ExprKind::Name && variable == nullptr ? thread_.memory.find(node.name) : nullptr;
  if (variable != nullptr && variable->array_length > 0) {
    Type element = variable->type;
    element.is_pointer = false;
    return size(element, variable->array_length);
  }
  if (entry != nullptr && entry->is_array) return size(entry->type, entry->length);
  const Operand value = thread_.value(node);
  return value.erroneous ? std::nullopt : size(value.type, 1);
}

Operand ExpressionLowering::floating_binary(Op op, Operand left, Operand right, SourceSpan span) {
  switch (op) {
    case Op::Remainder:
    case Op::ShiftLeft:
    case Op::ShiftRight:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
      return thread_.error(span, fmt::format("'{}' needs integers, not {}", ambit::to_string(op),
                                             to_string(floating_type(left.type, right.type))));
    default: return arithmetic(op, std::move(left), std::move(right));
  }
}

bool ExpressionLowering::needs_number(const Operand& operand, SourceSpan span) {
  if (operand.type.is_tensor_map && !operand.type.is_pointer) {
    thread_.error(span, "expected a number, found a CUtensorMap");
    return false;
  }
  if (!is_struct_value(operand.type)) return true;
  thread_.error(span, fmt::format("expected a number, found the struct {}", to_string(operand.type)),
                "name one of its fields");
  return false;
}

/// Makes a struct from the values of `nodes`, as in `{1, {2, 3}}`. Fields without a value get their default initializer
/// or 0.
Operand ExpressionLowering::construct(const Type& type, const std::vector<ExprNode>& nodes, SourceSpan span) {
  const StructLayout& layout = thread_.memory.layout(*type.structure);
  if (nodes.size() > layout.fields.size()) {
    return thread_.error(nodes[layout.fields.size()].span,
                         fmt::format("'{}' has {} fields but {} initial values", type.structure->name.text,
                                     layout.fields.size(), nodes.size()));
  }
  Operand whole(Expr{}, Type{.structure = type.structure});
  bool is_good = true;
  const auto add = [&](Operand value, const Type& field, SourceSpan at) {
    value = thread_.convert(std::move(value), field, at);
    is_good = is_good && !value.erroneous;
    if (!is_struct_value(field)) return whole.fields.push_back(std::move(value));
    whole.fields.insert(whole.fields.end(), value.fields.begin(), value.fields.end());
  };
  for (std::size_t i = 0; i < layout.fields.size(); ++i) {
    const StructLayout::Field& field = layout.fields[i];
    const ExprNode* node = i < nodes.size() ? &nodes[i] : nullptr;
    const bool braced = node != nullptr && node->kind == ExprKind::Braces;
    static const std::vector<ExprNode> kNone;
    for (std::size_t j = 0; j < field.length; ++j) {
      const Value initial = j < field.initial.size() ? field.initial[j] : 0;
      if (is_struct_value(field.type) && (node == nullptr || braced)) {
        add(construct(field.type, braced ? node->children : kNone, span), field.type, span);
      } else if (field.is_array) {
        const bool given = braced && j < node->children.size();
        add(given ? thread_.value(node->children[j]) : Operand::constant(initial, kLongLong), cell_type(field.type),
            span);
      } else {
        add(node != nullptr ? thread_.value(*node) : Operand::constant(initial, kLongLong), cell_type(field.type),
            node != nullptr ? node->span : span);
      }
    }
  }
  return is_good ? whole : std::nullopt;
}

/// Lowers `f(x).a`: a field of a value that is not in a variable.
Operand ExpressionLowering::field_of_value(const ExprNode& node) {
  const ExprNode& object = node.children.front();
  Operand whole = thread_.value(object);
  if (whole.erroneous) return std::nullopt;
  if (!is_struct_value(whole.type)) {
    return thread_.error(object.span,
                         fmt::format("this is {}, which has no field '{}'", to_string(whole.type), node.name));
  }
  Variable& held = thread_.variables.add_struct({}, whole.type, thread_.memory, object.span);
  thread_.variables.assign(held, std::move(whole), object.span);
  return places_.read(places_.field_of({&held, {}, held.type, object.span}, node.name, node.span));
}

/// Lowers operators on an address that code has cast to an integer: byte offsets, matrix descriptors. Returns nothing
/// if no operand is such an address.
std::optional<Operand> ExpressionLowering::address_binary(Op op, const Operand& left, const Operand& right,
                                                          SourceSpan span) {
  const bool is_bits = op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor;
  const bool commutes = is_bits || op == Op::Add;
  if (commutes && right.type.is_shared_address && !left.type.is_pointer) return address_binary(op, right, left, span);
  if (!left.type.is_shared_address || right.type.is_pointer) return std::nullopt;
  const bool on_descriptor = left.type.is_descriptor && op == Op::Add;
  if (is_bits || on_descriptor || op == Op::ShiftRight || op == Op::ShiftLeft) {
    return matrices_.descriptor(op, left, right, span);
  }
  return op == Op::Add ? std::optional(places_.move_bytes(left, right, span)) : std::nullopt;
}

Operand ExpressionLowering::pointer_binary(const ExprNode& node, Operand left, Operand right) {
  if (node.op == Op::Add && right.type.is_pointer && !left.type.is_pointer) std::swap(left, right);
  if (std::optional<Operand> address = address_binary(node.op, left, right, node.span)) return *std::move(address);
  if ((node.op == Op::Add || node.op == Op::Subtract) && !right.type.is_pointer) {
    return places_.move_pointer(std::move(left), node.op, std::move(right), node.span);
  }
  if ((left.local && !right.expr.is_constant()) || (right.local && !left.expr.is_constant()) ||
      (left.local && right.local)) {
    return thread_.error(node.span, "pointers to local variables cannot be compared or subtracted");
  }
  if (is_boolean(node.op) || (node.op == Op::Subtract && left.type.is_pointer && right.type.is_pointer)) {
    return Operand::integer(make_binary(node.op, Expr::make_cast(std::move(left.expr), kAddress),
                                        Expr::make_cast(std::move(right.expr), kAddress)));
  }
  return thread_.error(node.span, fmt::format("'{}' is not an operator on pointers", ambit::to_string(node.op)));
}

/// Lowers `a && b` or `a || b` to a value. Code evaluates b only if the value of a does not decide the result.
Operand ExpressionLowering::short_circuit(const ExprNode& node) {
  CodeBuilder& code = thread_.code;
  const RegisterId result = code.temporary(kInt);
  const Label is_false = code.new_label();
  const Label end = code.new_label();
  jump_unless(node, is_false);
  code.emit(Assign{result, Expr::make_constant(1)}, node.span);
  const bool can_be_true = code.reachable();
  code.jump(end, node.span);
  code.bind(is_false);
  const bool can_be_false = code.has_jumps_to(is_false);
  code.emit(Assign{result, Expr::make_constant(0)}, node.span);
  code.bind(end);
  if (thread_.values_matter() && can_be_true != can_be_false) return Operand::constant(can_be_true ? 1 : 0);
  return Operand::integer(Expr::make_register(result));
}

Operand ExpressionLowering::conditional(const ExprNode& node) {
  Operand condition = value(node.children[0]);
  if (condition.erroneous) return condition;
  if (condition.expr.is_constant()) {
    const bool first = condition.expr.constant != 0;
    thread_.check_only(node.children[first ? 2 : 1]);
    return value(node.children[first ? 1 : 2]);
  }
  if (has_effects(node.children[1]) || has_effects(node.children[2])) {
    return conditional_with_effects(node, to_boolean(std::move(condition.expr)));
  }
  Operand first = value(node.children[1]);
  Operand second = value(node.children[2]);
  if (first.erroneous || second.erroneous) return std::nullopt;
  if (is_struct_value(first.type))
    return select_struct(to_boolean(std::move(condition.expr)), first, second, node.span);
  const Type type = conditional_type(first, second);
  const ScalarType scalar = register_type(type);
  return {Expr::make(Op::Select, scalar,
                     {to_boolean(std::move(condition.expr)), Expr::make_cast(std::move(first.expr), scalar),
                      Expr::make_cast(std::move(second.expr), scalar)}),
          type};
}

Operand ExpressionLowering::select_struct(const Expr& condition, const Operand& first, const Operand& second,
                                          SourceSpan span) {
  if (first.type.structure != second.type.structure || second.type.is_pointer) {
    return thread_.error(span, "both sides of '?:' must have the same type");
  }
  Operand whole(Expr{}, first.type);
  for (std::size_t i = 0; i < first.fields.size(); ++i) {
    const Operand& a = first.fields[i];
    const ScalarType scalar = register_type(a.type);
    whole.fields.emplace_back(Expr::make(Op::Select, scalar, {condition, a.expr, second.fields[i].expr}), a.type);
  }
  return whole;
}

/// Lowers `?:` so that code evaluates only the chosen side. Both sides of `?:` write one 64-bit register, which can
/// hold a value of every type. The conversion to the common type comes last, because the common type is known only
/// after both sides have been lowered.
Operand ExpressionLowering::conditional_with_effects(const ExprNode& node, Expr condition) {
  CodeBuilder& code = thread_.code;
  const Label otherwise = code.new_label();
  const Label end = code.new_label();
  const RegisterId result = code.temporary(kLongLong);
  code.branch(negate(std::move(condition)), otherwise, node.children[0].span);
  const VariableTable::KnownValues before = thread_.variables.known_values();
  const Operand first = value(node.children[1]);
  if (is_struct_value(first.type)) {
    return thread_.error(node.span, "'?:' between structs is supported only between variables", "write if and else");
  }
  code.emit(Assign{result, Expr::make_cast(first.expr, kLongLong)}, node.children[1].span);
  code.jump(end, node.span);
  code.bind(otherwise);
  thread_.variables.restore(before);
  const Operand second = value(node.children[2]);
  code.emit(Assign{result, Expr::make_cast(second.expr, kLongLong)}, node.children[2].span);
  code.bind(end);
  thread_.variables.forget(thread_.functions.assigned(node));
  if (first.erroneous || second.erroneous) return std::nullopt;
  const Type type = conditional_type(first, second);
  return {Expr::make_cast(Expr::make_register(result, kLongLong), register_type(type)), type};
}

Operand ExpressionLowering::cast(const ExprNode& node) {
  const Type& type = node.type;
  if (type.is_void && !type.is_pointer) {
    discard(node.children.front());
    return Operand::nothing();
  }
  Operand operand = value(node.children.front());
  if (operand.erroneous) return operand;
  if (!needs_number(operand, node.span)) return std::nullopt;
  if (type.is_pointer && operand.type.is_pointer) {
    const bool is_any_map = type.is_void && operand.type.is_tensor_map && !operand.local;
    if (is_any_map || is_view_of_opaque(type, operand.type)) {
      operand.type.is_volatile |= type.is_volatile;
      return operand;
    }
    // in (int*)matrix, the cast changes an array of rows to an array of elements
    if (operand.type.inner != type.inner && !operand.local) operand.type.inner = type.inner;
    if (type.is_void || (!is_same_object_type(type, operand.type) && !is_word_view(type, operand.type))) {
      return thread_.error(node.span,
                           fmt::format("a cast from {} to {} would access memory as a type that it does not have",
                                       to_string(operand.type), to_string(type)),
                           "a cast of a pointer may add or remove 'volatile', and turn T** into unsigned long long*");
    }
    return {std::move(operand.expr), type};
  }
  // casts an integer that contains an address
  if (type.is_pointer) return {Expr::make_cast(std::move(operand.expr), kAddress), type};
  if (type.atomic_scope || type.is_auto || type.is_reference || type.structure != nullptr) {
    return thread_.error(node.span, fmt::format("a value cannot be cast to {}", to_string(type)));
  }
  // Inline assembly needs the address of a tensor map as an integer. Ambit keeps the address as a pointer.
  if (operand.type.is_tensor_map && operand.type.is_pointer && !operand.local) operand.type.is_shared_address = true;
  if (operand.type.is_shared_address) return thread_.convert(std::move(operand), type, node.span);
  if (operand.type.is_pointer && type.scalar.bits != 64) {
    return thread_.error(node.span, fmt::format("{} is too small for an address", to_string(type)),
                         "cast to unsigned long long");
  }
  if (operand.type.is_pointer) operand = Operand::integer(std::move(operand.expr));
  return thread_.convert(std::move(operand), type, node.span);
}

/// Emits a jump to `target` that is taken if the value of `node` equals `sense`.
void ExpressionLowering::jump_where(const ExprNode& node, bool sense, Label target) {
  if (node.kind == ExprKind::Unary && node.unary == UnaryOp::LogicalNot) {
    return jump_where(node.children.front(), !sense, target);
  }
  CodeBuilder& code = thread_.code;
  if (!is_logical(node) || !has_effects(node.children[1])) {
    Operand condition = value(node);
    if (condition.erroneous) return;
    Expr holds = to_boolean(std::move(condition.expr));
    code.branch(sense ? std::move(holds) : negate(std::move(holds)), target, node.span);
    return;
  }
  if (!thread_.spend(node.span)) return;
  // If the left side has this value, the right side is not evaluated: false for &&, true for ||.
  const bool decides = node.op == Op::LogicalOr;
  const Label skip = code.new_label();
  jump_where(node.children[0], decides, decides == sense ? target : skip);
  if (code.reachable()) {
    jump_where(node.children[1], sense, target);
  } else {
    thread_.check_only(node.children[1]);
  }
  code.bind(skip);
  thread_.variables.forget(thread_.functions.assigned(node.children[1]));
}

}  // namespace ambit::parser::litmus
