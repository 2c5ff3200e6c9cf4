#include "parser/litmus/expression_lowering.h"

#include <fmt/format.h>

#include "parser/text/memory_table.h"

namespace ambit::parser::litmus {

struct ExpressionLowering::Update {
  const Place& place;
  Op op;
  Operand operand;
  SourceSpan span;
  Use use;
  bool yields_old_value = false;  ///< true for x++ and x--
};

Operand ExpressionLowering::assign(const ExprNode& node, Use use) {
  if (!thread_.spend(node.span)) return std::nullopt;
  const ExprNode& source = node.children[1];
  Operand assigned = thread_.value(source);
  const std::optional<Place> to = places_.place(node.children[0]);
  if (!to || assigned.erroneous) return std::nullopt;
  if (node.compound) return update({*to, *node.compound, std::move(assigned), node.span, use});
  if (source.kind == ExprKind::Integer && !to->type.is_pointer && !to->type.is_bool && !to->type.is_opaque &&
      to->type.structure == nullptr) {
    check_range(source.value, source.scalar, to->type, source.span, thread_.assembly.reporter);
  }
  if (use == Use::Effects) {
    places_.write(*to, std::move(assigned), node.span);
    return Operand::nothing();
  }
  Operand result = thread_.convert(std::move(assigned), to->type, source.span);
  if (result.erroneous) return result;
  places_.write(*to, result, node.span);
  return to->variable ? thread_.variables.read(*to->variable, node.span) : result;
}

Operand ExpressionLowering::increment(const ExprNode& node, Use use) {
  if (!thread_.spend(node.span)) return std::nullopt;
  const std::optional<Place> to = places_.place(node.children.front());
  if (!to) return std::nullopt;
  return update({*to, node.is_decrement ? Op::Subtract : Op::Add, Operand::constant(1), node.span, use,
                 !node.is_prefix && use == Use::Value});
}

/// Lowers `x op= operand`: emits a read and a write, or a single read-modify-write if x is a cuda::atomic.
Operand ExpressionLowering::update(Update update) {
  if (update.place.type.atomic_scope && !update.place.variable) return update_atomic(std::move(update));
  const SourceSpan span = update.span;
  const Op op = update.op;
  Place cell = update.place;
  cell.span = span;
  Operand old = places_.read(cell);
  if (old.erroneous) return old;
  if (update.yields_old_value) old.expr = thread_.code.stable(std::move(old.expr), span);
  Operand updated;
  if (std::optional<Operand> address = address_binary(op, old, update.operand, span)) {
    updated = *std::move(address);
    if (updated.erroneous) return std::nullopt;
  } else if (old.type.is_pointer) {
    if (op != Op::Add && op != Op::Subtract) {
      return thread_.error(span, fmt::format("'{}=' is not an operator on pointers", ambit::to_string(op)));
    }
    updated = add_to_pointer(old, op, std::move(update.operand));
  } else if (update.operand.type.is_pointer) {
    return thread_.error(span, "the right side must be an integer, not a pointer");
  } else {
    if (!needs_number(old, span) || !needs_number(update.operand, span)) return std::nullopt;
    const bool floats = old.type.is_opaque || update.operand.type.is_opaque;
    if (!floats && thread_.reports_division_by_zero(op, update.operand.expr, span)) return std::nullopt;
    updated = floats ? floating_binary(op, old, std::move(update.operand), span)
                     : arithmetic(op, old, std::move(update.operand));
    if (updated.erroneous) return std::nullopt;
  }
  Operand result = thread_.convert(std::move(updated), cell.type, span);
  places_.write(cell, result, span);
  if (update.yields_old_value) return old;
  return cell.variable ? thread_.variables.read(*cell.variable, span) : result;
}

/// Emits a seq_cst read-modify-write of a cuda::atomic at the scope of the atomic.
Operand ExpressionLowering::update_atomic(Update update) {
  const SourceSpan span = update.span;
  std::optional<RmwOp> op;
  switch (update.op) {
    case Op::Add: op = RmwOp::Add; break;
    case Op::Subtract: op = RmwOp::Subtract; break;
    case Op::BitAnd: op = RmwOp::And; break;
    case Op::BitOr: op = RmwOp::Or; break;
    case Op::BitXor: op = RmwOp::Xor; break;
    default:
      return thread_.error(span, fmt::format("cuda::atomic has no '{}='", ambit::to_string(update.op)),
                           "it has +=, -=, &=, |= and ^=");
  }
  const Type& held = update.place.type;
  // rmw() reports an error if the operand is a pointer
  const Type cell = held.target ? Type{.scalar = held.scalar} : cell_type(held);
  Operand operand = thread_.convert(std::move(update.operand), cell, span);
  if (operand.erroneous) return operand;
  if (update.use == Use::Value) operand.expr = thread_.code.stable(std::move(operand.expr), span);
  Operand old = atomics_.rmw({.place = update.place,
                              .op = *op,
                              .at = {Order::SeqCst, *update.place.type.atomic_scope},
                              .operand = operand,
                              .span = span,
                              .use = update.use});
  if (update.use == Use::Effects || update.yields_old_value || old.erroneous) return old;
  return thread_.convert(arithmetic(update.op, std::move(old), std::move(operand)), cell, span);
}

}  // namespace ambit::parser::litmus
