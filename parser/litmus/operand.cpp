#include "parser/litmus/operand.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::parser::litmus {

/// Represents an opaque value by an expression whose value is 0 and that depends on the operands.
Operand Operand::opaque(const Type& type, const std::vector<Operand>& from) {
  Expr expr = Expr::make_register(kOpaqueRegister, type.scalar);
  const auto is_bare = [&] { return expr.op == Op::Register && expr.reg == kOpaqueRegister; };
  for (const Operand& operand : from) {
    if (operand.erroneous) return std::nullopt;
    if (operand.expr.is_constant()) continue;
    Expr part = Expr::make_cast(operand.expr, type.scalar);
    if (operand.type.is_opaque && is_bare()) {
      expr = std::move(part);  // the expression already contains an opaque register
      continue;
    }
    if (!operand.type.is_opaque) {
      part = Expr::make(Op::BitAnd, type.scalar, {std::move(part), Expr::make_constant(0, type.scalar)});
    }
    expr = Expr::make(Op::Add, type.scalar, {std::move(expr), std::move(part)});
  }
  return {std::move(expr), type};
}

Type floating_type(const Type& a, const Type& b) {
  const unsigned bits = std::max<unsigned>(a.is_opaque ? a.scalar.bits : 0, b.is_opaque ? b.scalar.bits : 0);
  return Type{.scalar = {static_cast<std::uint8_t>(bits), true}, .is_opaque = true};
}

bool is_view_of_opaque(const Type& declared, const Type& pointer) {
  return declared.is_pointer && pointer.is_pointer && pointer.is_opaque != declared.is_opaque &&
         pointer.structure == nullptr && declared.structure == nullptr && !pointer.target && !declared.target &&
         !pointer.atomic_scope && !declared.atomic_scope && !pointer.is_void && !declared.is_void &&
         pointer.scalar.bits == declared.scalar.bits;
}

Operand arithmetic(Op op, Operand a, Operand b) {
  const bool floats = (a.type.is_opaque || b.type.is_opaque) && !is_boolean(op);
  if (!floats) return Operand::integer(make_binary(op, std::move(a.expr), std::move(b.expr)));
  const Type type = floating_type(a.type, b.type);
  return Operand::opaque(type, {std::move(a), std::move(b)});
}

Operand convert(Operand operand, const Type& target, SourceSpan span, Reporter& reporter) {
  const bool holds_address = !target.is_pointer && !target.is_opaque && target.structure == nullptr &&
                             target.scalar.bits >= 32 && !target.target;
  if (operand.type.is_shared_address && holds_address && !operand.erroneous) return operand;
  if (target.target && !target.is_pointer) return convert(std::move(operand), pointer_in(target), span, reporter);
  Operand result;
  result.type = target;
  result.type.is_reference = false;
  result.erroneous = operand.erroneous;
  result.local = operand.local;
  if (operand.erroneous) {
    result.expr = Expr::make_constant(0, register_type(target));
    return result;
  }
  if (is_struct_value(target) || is_struct_value(operand.type)) {
    if (!operand.type.is_pointer && operand.type.structure == target.structure && !target.is_pointer) return operand;
    reporter.error(span, fmt::format("expected {}, found {}", to_string(target), to_string(operand.type)));
    return std::nullopt;
  }
  if (!target.is_pointer && !operand.type.is_pointer && target.is_tensor_map != operand.type.is_tensor_map) {
    reporter.error(span, fmt::format("expected {}, found {}", to_string(target), to_string(operand.type)));
    return std::nullopt;
  }
  if (target.is_pointer) {
    const bool null = !operand.type.is_pointer && operand.expr.is_constant() && operand.expr.constant == 0;
    const bool same = operand.type.is_pointer && is_same_object_type(operand.type, target) &&
                      (target.is_volatile || !operand.type.is_volatile);
    if (!null && !same) {
      reporter.error(span, fmt::format("expected {}, found {}", to_string(target), to_string(operand.type)),
                     operand.type.is_pointer ? "" : "write &x for the address of x");
      result.erroneous = true;
    }
    result.expr = Expr::make_cast(std::move(operand.expr), kAddress);
    return result;
  }
  if (operand.type.is_pointer && !target.is_bool) {
    reporter.error(span, fmt::format("a pointer does not convert to {} without a cast", to_string(target)),
                   "write *p for the value that p points to");
    result.expr = Expr::make_constant(0, target.scalar);
    result.erroneous = true;
    return result;
  }
  if (target.is_opaque) return Operand::opaque(result.type, {std::move(operand)});
  if (target.is_bool) operand.expr = to_boolean(std::move(operand.expr));
  result.expr = Expr::make_cast(std::move(operand.expr), target.scalar);
  return result;
}

Operand pointer_to(const Place& place) {
  Operand pointer(place.address, place.type);
  pointer.type.is_pointer = true;
  return pointer;
}

Value row_length(const Type& type) {
  Value length = 1;
  for (const std::uint32_t inner : type.inner) length *= inner == 0 ? 1 : inner;
  return length;
}

Type row_type(Type type) {
  type.inner = {type.inner[1], 0};
  return type;
}

Operand add_to_pointer(Operand pointer, Op op, Operand index) {
  if (pointer.erroneous || index.erroneous) return std::nullopt;
  Expr elements = Expr::make_cast(std::move(index.expr), kAddress);
  if (const Value row = row_length(pointer.type); row > 1) {
    elements = Expr::make(Op::Multiply, kAddress, {std::move(elements), Expr::make_constant(row, kAddress)});
  }
  return {Expr::make(op, kAddress, {std::move(pointer.expr), std::move(elements)}), pointer.type};
}

MemoryAccess atomic_access(const Place& place, OrderAndScope at) {
  MemoryAccess access;
  access.address = place.address;
  access.type = place.type.scalar;
  access.is_opaque = place.type.is_opaque;
  access.order = at.order;
  access.scope = at.scope;
  access.is_atomic = true;
  return access;
}

}  // namespace ambit::parser::litmus
