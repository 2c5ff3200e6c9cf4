#include <fmt/format.h>

#include <array>
#include <utility>

#include "parser/litmus/thread_lowering.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

bool is_builtin_triple(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

}  // namespace

Operand ThreadLowering::value(const ExprNode& node) {
  if (!spend(node.span)) return erroneous();
  switch (node.kind) {
    case ExprKind::Integer: return integer(Expr::make_constant(node.value, node.scalar));
    case ExprKind::Name: return value_of_name(node);
    case ExprKind::Unary: return value_of_unary(node);
    case ExprKind::Increment: return increment(node, false);
    case ExprKind::Binary: return value_of_binary(node);
    case ExprKind::Assign: return assign(node, false);
    case ExprKind::Conditional: return conditional(node);
    case ExprKind::Call: {
      Operand result = call(node, false);
      if (result.type.is_void && !result.type.is_pointer && !result.erroneous) {
        error(node.span, "this call yields no value");
        return erroneous();
      }
      return result;
    }
    case ExprKind::Index: {
      const std::optional<Place> cell = place(node);
      return cell ? read(*cell) : erroneous();
    }
    case ExprKind::Member: return value_of_member(node);
    case ExprKind::Cast: return cast(node);
    case ExprKind::AtomicRef: {
      const std::optional<Place> object = place(node);
      return object ? read(*object) : erroneous();
    }
    case ExprKind::SizeOf:
      return integer(Expr::make_constant(static_cast<Value>(memory_.size_of(node.type)), kUnsignedLongLong));
    case ExprKind::Text: error(node.span, "a quoted text is no value", "texts stand in printf and assert only"); break;
    case ExprKind::Braces: error(node.span, "a list in braces is no value"); break;
  }
  return erroneous();
}

/// For the effects only. Reads that nobody uses stay reads.
void ThreadLowering::discard(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::Assign: assign(node, true); return;
    case ExprKind::Increment: increment(node, true); return;
    case ExprKind::Call: call(node, true); return;
    case ExprKind::Cast:
      if (node.type.is_void && !node.type.is_pointer) return discard(node.children.front());
      break;
    default: break;
  }
  value(node);
}

Operand ThreadLowering::unknown_name(const ExprNode& node) {
  std::string hint = did_you_mean(node.name, visible_names());
  if (is_builtin_triple(node.name)) hint = "threadIdx, blockIdx, blockDim and gridDim have values in kernels only";
  if (hint.empty() && functions_.find(node.name) != nullptr) hint = "this is a function: call it";
  error(node.span, fmt::format("unknown name '{}'", node.name), hint);
  return erroneous();
}

Operand ThreadLowering::value_of_name(const ExprNode& node) {
  if (Variable* variable = find_variable(node.name)) {
    if (variable->kind == Variable::Kind::Array) {
      error(node.span, fmt::format("'{}' is an array of one thread: it has no address", node.name),
            "index it, or declare it __shared__");
      return erroneous();
    }
    if (variable->kind != Variable::Kind::Reference) {
      return read_variable(static_cast<std::size_t>(variable - variables_.data()), node.span);
    }
  } else if (is_field_of_self(node.name)) {
    const std::optional<FieldPlace> found = field_of(*self(), node.name, node.span);
    if (!found) return erroneous();
    return found->is_array ? pointer_to(found->place) : read(found->place);
  } else if (MemoryEntry* entry = memory_.find(node.name)) {
    if (entry->constant) return integer(Expr::make_constant(*entry->constant, entry->type.scalar));
    if (entry->is_array) return array_address(*entry);
  } else if (node.name == "true" || node.name == "false") {
    return integer(Expr::make_constant(node.name == "true" ? 1 : 0));
  } else if (node.name == "warpSize" && setting_.kernel) {
    return integer(Expr::make_constant(32));
  } else if (node.name == "NULL" || node.name == "nullptr") {
    return integer(Expr::make_constant(0, kLongLong));
  } else {
    return unknown_name(node);
  }
  const std::optional<Place> named = place_of_name(node);
  return named ? read(*named) : erroneous();
}

Operand ThreadLowering::value_of_member(const ExprNode& node) {
  const ExprNode& object = node.children.front();
  if (object.kind == ExprKind::Name && is_builtin_triple(object.name) && find_variable(object.name) == nullptr) {
    if (!setting_.kernel) return unknown_name(object);
    const ThreadSetting::Coordinates& at = *setting_.kernel;
    const ThreadSetting::Triple& triple = object.name == "threadIdx"  ? at.thread
                                          : object.name == "blockIdx" ? at.block
                                          : object.name == "blockDim" ? at.block_dim
                                                                      : at.grid_dim;
    if (node.name.size() == 1 && node.name[0] >= 'x' && node.name[0] <= 'z') {
      return integer(Expr::make_constant(triple[static_cast<std::size_t>(node.name[0] - 'x')], kUnsigned));
    }
    error(node.span, fmt::format("'{}' has no member '{}'", object.name, node.name), "its members are x, y and z");
    return erroneous();
  }
  const std::optional<FieldPlace> found = field(node);
  if (!found) return erroneous();
  return found->is_array ? pointer_to(found->place) : read(found->place);
}

Operand ThreadLowering::value_of_unary(const ExprNode& node) {
  const ExprNode& child = node.children.front();
  if (node.unary == UnaryOp::AddressOf) return address_of(child);
  if (node.unary == UnaryOp::Dereference) {
    const std::optional<Place> cell = place(node);
    return cell ? read(*cell) : erroneous();
  }
  Operand operand = value(child);
  if (operand.erroneous) return operand;
  if (operand.type.is_pointer && node.unary != UnaryOp::LogicalNot) {
    error(node.span, "this operator needs an integer, not a pointer");
    return erroneous();
  }
  return integer(make_unary(node.unary, std::move(operand.expr)));
}

/// Would lowering `node` emit instructions? Then && || ?: must not evaluate it unasked.
bool ThreadLowering::has_effects(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::Integer:
    case ExprKind::SizeOf:
    case ExprKind::Text: return false;
    case ExprKind::Name: {
      const Variable* variable = find_variable(node.name);
      if (variable != nullptr) return variable->kind == Variable::Kind::Reference && !variable->place.variable;
      if (is_field_of_self(node.name)) return true;
      const MemoryEntry* entry = memory_.find(node.name);
      return entry != nullptr && !entry->constant && !entry->is_array;
    }
    case ExprKind::Member:
      return !(node.children.front().kind == ExprKind::Name && is_builtin_triple(node.children.front().name));
    case ExprKind::Unary:
      if (node.unary == UnaryOp::Dereference) return true;
      if (node.unary == UnaryOp::AddressOf && node.children.front().kind == ExprKind::Name) return false;
      return has_effects(node.children.front());
    case ExprKind::Binary:
    case ExprKind::Conditional:
    case ExprKind::Cast:
      for (const ExprNode& child : node.children) {
        if (has_effects(child)) return true;
      }
      return false;
    case ExprKind::Assign:
    case ExprKind::Increment:
    case ExprKind::Call:
    case ExprKind::Index:
    case ExprKind::Braces:
    case ExprKind::AtomicRef: return true;
  }
  return true;
}

Operand ThreadLowering::value_of_binary(const ExprNode& node) {
  const bool logical = node.op == Op::LogicalAnd || node.op == Op::LogicalOr;
  if (node.op == Op::LogicalAnd && node.children[1].kind == ExprKind::Text) {  // assert(x && "why")
    Operand left = value(node.children[0]);
    return left.erroneous ? left : integer(to_boolean(std::move(left.expr)));
  }
  if (logical && has_effects(node.children[1])) return short_circuit(node);
  Operand left = value(node.children[0]);
  if (logical && left.expr.is_constant() && !left.erroneous &&
      (left.expr.constant != 0) == (node.op == Op::LogicalOr)) {
    dead(node.children[1]);
    return integer(Expr::make_constant(node.op == Op::LogicalOr ? 1 : 0));
  }
  // `r + f(r)`: what f does to r must not change the operand that was read before.
  if (has_effects(node.children[1]) && !left.erroneous && !functions_.assigned(node.children[1]).empty()) {
    left.expr = stable(std::move(left.expr), node.children[0].span);
  }
  Operand right = value(node.children[1]);
  if (left.erroneous || right.erroneous) return erroneous();
  if (!logical && (left.type.is_pointer || right.type.is_pointer)) {
    return pointer_binary(node, std::move(left), std::move(right));
  }
  const bool divides = node.op == Op::Divide || node.op == Op::Remainder;
  if (divides && right.expr.is_constant() && right.expr.constant == 0 && values_matter()) {
    error(node.span, "division by zero");
    return erroneous();
  }
  return integer(make_binary(node.op, std::move(left.expr), std::move(right.expr)));
}

Operand ThreadLowering::pointer_binary(const ExprNode& node, Operand left, Operand right) {
  if (node.op == Op::Add && right.type.is_pointer && !left.type.is_pointer) std::swap(left, right);
  if ((node.op == Op::Add || node.op == Op::Subtract) && !right.type.is_pointer) {
    return add_to_pointer(std::move(left), std::move(right), node.op == Op::Subtract);
  }
  if (is_boolean(node.op) || (node.op == Op::Subtract && left.type.is_pointer && right.type.is_pointer)) {
    return integer(make_binary(node.op, Expr::make_cast(std::move(left.expr), kAddress),
                               Expr::make_cast(std::move(right.expr), kAddress)));
  }
  error(node.span, fmt::format("'{}' is not an operator on pointers", ambit::to_string(node.op)));
  return erroneous();
}

/// `a && b`, `a || b` as a value, where b may only be evaluated when a says so.
Operand ThreadLowering::short_circuit(const ExprNode& node) {
  const RegisterId result = code_.temporary(kInt);
  const Label is_false = code_.new_label();
  const Label end = code_.new_label();
  jump_if(node, false, is_false);
  code_.emit(Assign{result, Expr::make_constant(1)}, node.span);
  const bool can_be_true = code_.reachable();
  code_.jump(end, node.span);
  code_.bind(is_false);
  const bool can_be_false = code_.has_jumps_to(is_false);
  code_.emit(Assign{result, Expr::make_constant(0)}, node.span);
  code_.bind(end);
  if (values_matter() && can_be_true != can_be_false) return integer(Expr::make_constant(can_be_true ? 1 : 0));
  return integer(Expr::make_register(result));
}

Operand ThreadLowering::conditional(const ExprNode& node) {
  Operand condition = value(node.children[0]);
  if (condition.erroneous) return condition;
  if (condition.expr.is_constant()) {
    const bool first = condition.expr.constant != 0;
    dead(node.children[first ? 2 : 1]);
    return value(node.children[first ? 1 : 2]);
  }
  if (has_effects(node.children[1]) || has_effects(node.children[2])) {
    return conditional_with_effects(node, to_boolean(std::move(condition.expr)));
  }
  Operand first = value(node.children[1]);
  Operand second = value(node.children[2]);
  if (first.erroneous || second.erroneous) return erroneous();
  const Type type = conditional_type(first, second);
  const ScalarType scalar = type.is_pointer ? kAddress : type.scalar;
  return {Expr::make(Op::Select, scalar,
                     {to_boolean(std::move(condition.expr)), Expr::make_cast(std::move(first.expr), scalar),
                      Expr::make_cast(std::move(second.expr), scalar)}),
          type};
}

Type ThreadLowering::conditional_type(const Operand& first, const Operand& second) {
  if (first.type.is_pointer) return first.type;
  if (second.type.is_pointer) return second.type;
  return Type{.scalar = common_type(first.expr.result_type(), second.expr.result_type())};
}

/// Only the chosen side is evaluated. Both leave their value in one register of 64 bits, which holds every type's
/// values; the conversion to the common type, known only when both are lowered, comes after.
Operand ThreadLowering::conditional_with_effects(const ExprNode& node, Expr condition) {
  const Label otherwise = code_.new_label();
  const Label end = code_.new_label();
  const RegisterId result = code_.temporary(kLongLong);
  code_.branch(negate(std::move(condition)), otherwise, node.children[0].span);
  const KnownValues before = known_values();
  const Operand first = value(node.children[1]);
  code_.emit(Assign{result, Expr::make_cast(first.expr, kLongLong)}, node.children[1].span);
  code_.jump(end, node.span);
  code_.bind(otherwise);
  restore(before);
  const Operand second = value(node.children[2]);
  code_.emit(Assign{result, Expr::make_cast(second.expr, kLongLong)}, node.children[2].span);
  code_.bind(end);
  forget(functions_.assigned(node));
  if (first.erroneous || second.erroneous) return erroneous();
  const Type type = conditional_type(first, second);
  return {Expr::make_cast(Expr::make_register(result, kLongLong), type.is_pointer ? kAddress : type.scalar), type};
}

Operand ThreadLowering::cast(const ExprNode& node) {
  if (node.type.is_void && !node.type.is_pointer) {
    discard(node.children.front());
    return nothing();
  }
  Operand operand = value(node.children.front());
  if (operand.erroneous) return operand;
  const Type& type = node.type;
  if (type.is_pointer && operand.type.is_pointer) {
    if (type.is_void || !is_same_object_type(type, operand.type)) {
      error(node.span,
            fmt::format("a cast from {} to {} would access memory by another type than its own",
                        to_string(operand.type), to_string(type)),
            "only 'volatile' may be added or taken away");
      return erroneous();
    }
    operand.type = type;
    return operand;
  }
  if (type.is_pointer) {  // an integer that holds an address
    operand.type = type;
    operand.expr = Expr::make_cast(std::move(operand.expr), kAddress);
    return operand;
  }
  if (type.atomic_scope || type.is_auto || type.is_reference || type.structure != nullptr) {
    error(node.span, fmt::format("a value cannot be cast to {}", to_string(type)));
    return erroneous();
  }
  if (operand.type.is_pointer && type.scalar.bits != 64) {
    error(node.span, fmt::format("{} is too small for an address", to_string(type)), "cast to unsigned long long");
    return erroneous();
  }
  operand.type.is_pointer = false;
  return convert(integer(std::move(operand.expr)), type, node.span);
}

/// Implicit conversion to the type of a variable, parameter or cell.
Operand ThreadLowering::convert(Operand operand, const Type& target, SourceSpan span) {
  Operand result;
  result.type = target;
  result.type.is_reference = false;
  result.erroneous = operand.erroneous;
  if (operand.erroneous) {
    result.expr = Expr::make_constant(0, target.is_pointer ? kAddress : target.scalar);
    return result;
  }
  if (target.structure != nullptr && !target.is_pointer) {
    error(span, "a struct is not copied as a whole", "copy its fields, or pass a pointer or reference to it");
    return erroneous();
  }
  if (target.is_pointer) {
    const bool null = !operand.type.is_pointer && operand.expr.is_constant() && operand.expr.constant == 0;
    const bool same = operand.type.is_pointer && is_same_object_type(operand.type, target) &&
                      (target.is_volatile || !operand.type.is_volatile);
    if (!null && !same) {
      error(span, fmt::format("{} is expected here, but this is {}", to_string(target), to_string(operand.type)),
            operand.type.is_pointer ? "" : "write &x for the address of x");
      result.erroneous = true;
    }
    result.expr = Expr::make_cast(std::move(operand.expr), kAddress);
    return result;
  }
  if (operand.type.is_pointer) {
    if (target.is_bool) {
      result.expr = Expr::make_cast(to_boolean(std::move(operand.expr)), target.scalar);
      return result;
    }
    error(span, fmt::format("a pointer cannot become {} without a cast", to_string(target)),
          "write *p for what p points at");
    result.expr = Expr::make_constant(0, target.scalar);
    result.erroneous = true;
    return result;
  }
  Expr expr = std::move(operand.expr);
  if (target.is_bool) expr = to_boolean(std::move(expr));
  result.expr = Expr::make_cast(std::move(expr), target.scalar);
  return result;
}

Expr ThreadLowering::stable(Expr expr, SourceSpan span) {
  if (expr.is_constant()) return expr;
  if (expr.op == Op::Register) {
    const std::string& name = code_.registers()[expr.reg].name;
    if (name.size() > 1 && name[0] == '%' && name[1] >= '0' && name[1] <= '9') return expr;  // assigned once
  }
  const RegisterId copy = code_.temporary(expr.result_type());
  const ScalarType type = expr.result_type();
  code_.emit(Assign{copy, std::move(expr)}, span);
  return Expr::make_register(copy, type);
}

void ThreadLowering::jump_if(const ExprNode& node, bool sense, Label target) {
  if (node.kind == ExprKind::Unary && node.unary == UnaryOp::LogicalNot) {
    return jump_if(node.children.front(), !sense, target);
  }
  const bool logical = node.kind == ExprKind::Binary && (node.op == Op::LogicalAnd || node.op == Op::LogicalOr);
  if (!logical || !has_effects(node.children[1])) {
    Operand condition = value(node);
    if (condition.erroneous) return;
    code_.branch(sense ? to_boolean(std::move(condition.expr)) : negate(to_boolean(std::move(condition.expr))), target,
                 node.span);
    return;
  }
  if (!spend(node.span)) return;
  // The value that decides without the right side: false for &&, true for ||.
  const bool decides = node.op == Op::LogicalOr;
  const Label skip = code_.new_label();
  jump_if(node.children[0], decides, decides == sense ? target : skip);
  if (code_.reachable()) {
    jump_if(node.children[1], sense, target);
  } else {
    dead(node.children[1]);
  }
  code_.bind(skip);
  forget(functions_.assigned(node.children[1]));
}

}  // namespace ambit::parser::litmus
