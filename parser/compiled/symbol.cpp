#include "parser/compiled/symbol.h"

#include <algorithm>
#include <bit>

#include "parser/litmus/operand.h"

namespace ambit::parser::compiled {

Symbol number(Expr value) {
  Symbol symbol;
  symbol.value = std::move(value);
  return symbol;
}

Symbol number(Value value, ScalarType type) { return number(Expr::make_constant(type.wrap(value), type)); }

Symbol opaque(ScalarType type, const std::vector<Symbol>& from) {
  std::vector<litmus::Operand> operands;
  Symbol result;
  for (const Symbol& symbol : from) {
    result.varies = result.varies || symbol.varies;
    if (symbol.base == Symbol::Base::Undetermined) result.base = Symbol::Base::Undetermined;
    if (symbol.is_number()) operands.emplace_back(symbol.value, Type{.is_opaque = symbol.is_opaque});
  }
  if (result.base == Symbol::Base::Undetermined) return result;
  result.value = litmus::Operand::opaque(Type{.scalar = type}, operands).expr;
  result.is_opaque = true;
  return result;
}

std::size_t size_of(const Expr& expr) {
  std::size_t size = 1;
  for (const Expr& argument : expr.arguments) size += size_of(argument);
  return size;
}

Expr as(const Expr& expr, ScalarType type) { return expr.result_type() == type ? expr : Expr::make_cast(expr, type); }

unsigned low_zeros(const Expr& expr) {
  switch (expr.op) {
    case Op::Const:
      return expr.constant == 0 ? 64
                                : static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(expr.constant)));
    case Op::Cast: return low_zeros(expr.arguments[0]);
    case Op::ShiftLeft:
      return low_zeros(expr.arguments[0]) +
             (expr.arguments[1].is_constant() ? static_cast<unsigned>(expr.arguments[1].constant) % expr.type.bits : 0);
    case Op::Multiply: return low_zeros(expr.arguments[0]) + low_zeros(expr.arguments[1]);
    case Op::Add:
    case Op::Subtract:
    case Op::BitOr:
    case Op::BitXor: return std::min(low_zeros(expr.arguments[0]), low_zeros(expr.arguments[1]));
    case Op::BitAnd: return std::max(low_zeros(expr.arguments[0]), low_zeros(expr.arguments[1]));
    default: return 0;
  }
}

}  // namespace ambit::parser::compiled
