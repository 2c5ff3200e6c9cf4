#include "parser/litmus/operand.h"

#include <fmt/format.h>

namespace ambit::parser::litmus {

Operand convert(Operand operand, const Type& target, SourceSpan span, Reporter& reporter) {
  if (target.target && !target.is_pointer) return convert(std::move(operand), pointer_in(target), span, reporter);
  Operand result;
  result.type = target;
  result.type.is_reference = false;
  result.erroneous = operand.erroneous;
  if (operand.erroneous) {
    result.expr = Expr::make_constant(0, register_type(target));
    return result;
  }
  if (target.structure != nullptr && !target.is_pointer) {
    reporter.error(span, "a struct cannot be copied as a whole",
                   "copy its fields, or pass a pointer or reference to it");
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
  if (target.is_bool) operand.expr = to_boolean(std::move(operand.expr));
  result.expr = Expr::make_cast(std::move(operand.expr), target.scalar);
  return result;
}

Operand pointer_to(const Place& place) {
  Operand pointer(place.address, place.type);
  pointer.type.is_pointer = true;
  return pointer;
}

Operand add_to_pointer(Operand pointer, Op op, Operand index) {
  if (pointer.erroneous || index.erroneous) return std::nullopt;
  return {Expr::make(op, kAddress, {std::move(pointer.expr), Expr::make_cast(std::move(index.expr), kAddress)}),
          pointer.type};
}

MemoryAccess atomic_access(const Place& place, OrderAndScope at) {
  MemoryAccess access;
  access.address = place.address;
  access.type = place.type.scalar;
  access.order = at.order;
  access.scope = at.scope;
  access.is_atomic = true;
  return access;
}

}  // namespace ambit::parser::litmus
