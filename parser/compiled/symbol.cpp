#include "parser/compiled/symbol.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "parser/litmus/operand.h"

namespace ambit::parser::compiled {
namespace {

constexpr Value kObjectStep = Value{1} << 32;

/// constant + the sum of coefficient * term.
struct Linear {
  struct Term {
    Value coefficient = 1;
    Expr term;
  };
  Value constant = 0;
  std::vector<Term> terms;
};

void add_linear(const Expr& expr, Value factor, Linear& sum) {
  const bool is_wide = expr.result_type().bits == 64;
  if (expr.is_constant()) {
    sum.constant += factor * expr.constant;
  } else if (is_wide && (expr.op == Op::Add || expr.op == Op::Subtract)) {
    add_linear(expr.arguments[0], factor, sum);
    add_linear(expr.arguments[1], expr.op == Op::Add ? factor : -factor, sum);
  } else if (is_wide && expr.op == Op::Multiply && expr.arguments[1].is_constant()) {
    add_linear(expr.arguments[0], factor * expr.arguments[1].constant, sum);
  } else if (is_wide && expr.op == Op::Multiply && expr.arguments[0].is_constant()) {
    add_linear(expr.arguments[1], factor * expr.arguments[0].constant, sum);
  } else if (is_wide && expr.op == Op::ShiftLeft && expr.arguments[1].is_constant()) {
    add_linear(expr.arguments[0], factor * (Value{1} << (expr.arguments[1].constant & 63)), sum);
  } else {
    sum.terms.push_back({factor, expr});
  }
}

Linear linear(const Expr& expr) {
  Linear sum;
  add_linear(expr, 1, sum);
  return sum;
}

Expr constant64(Value value) { return Expr::make_constant(value, kBits64); }

Expr plus(Expr a, Expr b) {
  if (a.is_constant() && a.constant == 0) return b;
  if (b.is_constant() && b.constant == 0) return a;
  return Expr::make(Op::Add, kBits64, {std::move(a), std::move(b)});
}

Expr times(Expr a, Value factor) {
  if (factor == 1) return a;
  return Expr::make(Op::Multiply, kBits64, {std::move(a), constant64(factor)});
}

/// `expr` / `divisor`, a power of two, where the division leaves no rest: without the shift that made the multiple.
Expr divided(const Expr& expr, Value divisor) {
  if (divisor == 1) return as(expr, kBits64);
  if (expr.op == Op::Cast) {
    const Expr inner = expr.arguments[0];
    if (low_zeros(inner) >= static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(divisor)))) {
      if (inner.op == Op::Cast || inner.op == Op::ShiftLeft || inner.op == Op::Multiply) return divided(inner, divisor);
    }
  }
  if (expr.op == Op::ShiftLeft && expr.arguments[1].is_constant()) {
    const Value multiple = Value{1} << (expr.arguments[1].constant & 31);
    if (multiple % divisor == 0) return times(as(expr.arguments[0], kBits64), multiple / divisor);
  }
  if (expr.op == Op::Multiply && expr.arguments[1].is_constant() && expr.arguments[1].constant % divisor == 0) {
    return times(as(expr.arguments[0], kBits64), expr.arguments[1].constant / divisor);
  }
  return Expr::make(Op::Divide, kBits64, {as(expr, kBits64), constant64(divisor)});
}

/// coefficient * term / bytes.
Expr scaled(const Linear::Term& term, Value bytes) {
  if (term.coefficient % bytes == 0) return times(as(term.term, kBits64), term.coefficient / bytes);
  const Value common = std::gcd(term.coefficient, bytes);
  return times(divided(term.term, bytes / common), term.coefficient / common);
}

Value floor_divide(Value a, Value b) { return a / b - (a % b < 0 ? 1 : 0); }

/// The element that a number of bytes leads to, and the bytes in it.
struct Split {
  Value element = 0;
  Value rest = 0;
  Expr elements = constant64(0);    ///< added to `element`
  std::vector<Linear::Term> inner;  ///< bytes in the element
};

Split split(const Symbol& pointer) {
  const Linear sum = linear(pointer.value);
  const auto stride = static_cast<Value>(pointer.layout->stride);
  const bool is_scalar = pointer.layout->cells.size() == 1 && pointer.layout->cells[0].count == 1;
  Split result;
  result.element = floor_divide(sum.constant, stride);
  result.rest = sum.constant - result.element * stride;
  for (const Linear::Term& term : sum.terms) {
    if (is_scalar || term.coefficient % stride == 0) {
      result.elements = plus(result.elements, scaled(term, stride));
    } else {
      result.inner.push_back(term);
    }
  }
  return result;
}

const LayoutCell* cell_with(const Layout& layout, Value offset) {
  for (const LayoutCell& cell : layout.cells) {
    const auto begin = static_cast<Value>(cell.offset);
    if (offset >= begin && offset < begin + Value{cell.bytes} * cell.count) return &cell;
  }
  return nullptr;
}

}  // namespace

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

std::optional<CellAccess> cell_at(const Symbol& pointer, unsigned bytes, std::string& error) {
  const Split at = split(pointer);
  const LayoutCell* cell = cell_with(*pointer.layout, at.rest);
  if (cell == nullptr) {
    error = "this access reaches padding between the fields of a struct";
    return std::nullopt;
  }
  const Value inside = at.rest - static_cast<Value>(cell->offset);
  if (bytes != cell->bytes || inside % cell->bytes != 0) {
    error = fmt::format("this access has {} bytes, but the variable has cells of {} bytes there", bytes, cell->bytes);
    return std::nullopt;
  }
  if (!at.inner.empty() && cell->count == 1) {
    error = "this access may reach different fields of a struct";
    return std::nullopt;
  }
  Expr index = constant64(at.element * cell->count + inside / cell->bytes + Value{cell->object} * kObjectStep);
  Expr moving = times(at.elements, cell->count);
  for (const Linear::Term& term : at.inner) moving = plus(std::move(moving), scaled(term, cell->bytes));
  Expr base = pointer.pointer;
  if (cell->count > 1 && !(base.is_constant() && index_of(base.constant) == 0)) {
    // The pointer's index counts structs; the field has `count` cells in each.
    const Expr element = Expr::make(Op::BitAnd, kBits64, {base, constant64(kObjectStep - 1)});
    moving = plus(std::move(moving), times(element, cell->count - 1));
  }
  return CellAccess{plus(plus(std::move(base), std::move(index)), std::move(moving)), cell->type};
}

ByteOffset byte_offset(const Symbol& pointer) {
  const Linear sum = linear(pointer.value);
  ByteOffset result = {sum.constant, 0};
  for (const Linear::Term& term : sum.terms) {
    const unsigned zeros = std::min(low_zeros(term.term), 20U);
    result.step = std::gcd(result.step, term.coefficient * (Value{1} << zeros));
  }
  return result;
}

std::optional<ElementPointer> element_of(const Symbol& pointer) {
  if (pointer.base != Symbol::Base::Memory) return std::nullopt;
  const Split at = split(pointer);
  if (!at.inner.empty()) return std::nullopt;
  return ElementPointer{plus(plus(pointer.pointer, constant64(at.element)), at.elements),
                        static_cast<std::uint64_t>(at.rest)};
}

}  // namespace ambit::parser::compiled
