#include "core/value_exchange.h"

#include <array>

namespace ambit {
namespace {

Value joined_gift(const ValueExchange& exchange, const Gift& gift, Value own) {
  using Function = ValueExchange::Function;
  const Value lane_bit = kUnsigned.wrap(Value{1} << gift.lane);
  switch (exchange.function) {
    case Function::Any:
    case Function::All:
    case Function::Count: return gift.value != 0 ? 1 : 0;
    case Function::Ballot: return gift.value != 0 ? lane_bit : 0;
    case Function::Match: return gift.value == own ? lane_bit : 0;
    default: return gift.value;
  }
}

}  // namespace

std::optional<Op> operator_of(ValueExchange::Function function) {
  using Function = ValueExchange::Function;
  switch (function) {
    case Function::Shuffle: return std::nullopt;
    case Function::Any: return Op::LogicalOr;
    case Function::All: return Op::LogicalAnd;
    case Function::Count:
    case Function::Add: return Op::Add;
    case Function::Min: return Op::Min;
    case Function::Max: return Op::Max;
    case Function::And: return Op::BitAnd;
    case Function::Ballot:
    case Function::Match:
    case Function::Or: return Op::BitOr;
    case Function::Xor: return Op::BitXor;
  }
  return std::nullopt;
}

ScalarType joined_type(const ValueExchange& exchange) {
  using Function = ValueExchange::Function;
  switch (exchange.function) {
    case Function::Any:
    case Function::All:
    case Function::Count: return kInt;
    case Function::Ballot:
    case Function::Match: return kUnsigned;
    default: return exchange.type;
  }
}

ShuffleSource shuffle_source(ShuffleMode mode, Value lane, const Expr& argument, Value clamp, Value segment_mask) {
  constexpr Value kLowest = 0x1f;
  const auto number = [](Value value) { return Expr::make_constant(value, kInt); };
  const auto make = [](Op op, const Expr& a, const Expr& b) { return Expr::make(op, kInt, {a, b}); };
  const Expr own = number(lane);
  const Expr low = make(Op::BitAnd, Expr::make_cast(argument, kInt), number(kLowest));
  const Value first = lane & segment_mask;
  const Expr limit = number(first | (clamp & ~segment_mask & kLowest));
  const auto within = [&](Op is_within, const Expr& other) {
    const Expr condition = make(is_within, other, limit);
    return ShuffleSource{Expr::make(Op::Select, kInt, {condition, other, own}), condition};
  };
  switch (mode) {
    case ShuffleMode::Up: return within(Op::GreaterEqual, make(Op::Subtract, own, low));
    case ShuffleMode::Down: return within(Op::LessEqual, make(Op::Add, own, low));
    case ShuffleMode::Xor: return within(Op::LessEqual, make(Op::BitXor, own, low));
    case ShuffleMode::Index: break;
  }
  return within(Op::LessEqual, make(Op::BitOr, number(first), make(Op::BitAnd, low, number(~segment_mask & kLowest))));
}

std::optional<Value> received(const ValueExchange& exchange, Value own, Value source, std::span<const Gift> gifts) {
  const std::optional<Op> join = operator_of(exchange.function);
  std::optional<Value> result;
  for (const Gift& gift : gifts) {
    if (!join) {
      if (gift.lane == source) return gift.value;
      continue;
    }
    const Value mine = joined_gift(exchange, gift, own);
    result = result ? apply(*join, joined_type(exchange), std::array{*result, mine}) : mine;
  }
  return result;
}

}  // namespace ambit
