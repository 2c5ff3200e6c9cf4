// Lowers functions that synchronise threads and exchange values: shuffles, votes and reductions of a warp, and
// __syncthreads_count and its variants.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/value_exchange.h"
#include "parser/litmus/barrier_lowering.h"
#include "parser/litmus/math_functions.h"

namespace ambit::parser::litmus {
namespace {

using Function = ValueExchange::Function;

struct ExchangeName {
  std::string_view name;
  Function function;
  std::optional<ShuffleMode> shuffle = std::nullopt;
  bool is_of_block = false;  ///< true for block functions; the first argument of a warp function is a lane mask
};
constexpr std::array kExchanges = {ExchangeName{"__shfl_sync", Function::Shuffle, ShuffleMode::Index},
                                   ExchangeName{"__shfl_up_sync", Function::Shuffle, ShuffleMode::Up},
                                   ExchangeName{"__shfl_down_sync", Function::Shuffle, ShuffleMode::Down},
                                   ExchangeName{"__shfl_xor_sync", Function::Shuffle, ShuffleMode::Xor},
                                   ExchangeName{"__reduce_add_sync", Function::Add},
                                   ExchangeName{"__reduce_min_sync", Function::Min},
                                   ExchangeName{"__reduce_max_sync", Function::Max},
                                   ExchangeName{"__reduce_and_sync", Function::And},
                                   ExchangeName{"__reduce_or_sync", Function::Or},
                                   ExchangeName{"__reduce_xor_sync", Function::Xor},
                                   ExchangeName{"__any_sync", Function::Any},
                                   ExchangeName{"__all_sync", Function::All},
                                   ExchangeName{"__ballot_sync", Function::Ballot},
                                   ExchangeName{"__match_any_sync", Function::Match},
                                   ExchangeName{"__syncthreads_count", Function::Count, std::nullopt, true},
                                   ExchangeName{"__syncthreads_and", Function::All, std::nullopt, true},
                                   ExchangeName{"__syncthreads_or", Function::Any, std::nullopt, true}};
constexpr Value kLanes = 32;

const ExchangeName* find_exchange(std::string_view name) {
  const auto found = std::ranges::find(kExchanges, name, &ExchangeName::name);
  return found == kExchanges.end() ? nullptr : &*found;
}

/// Returns the exchange of a thread. Returns nothing if Ambit does not compute the result: a value has a floating-point
/// type, or the width of a shuffle is not a constant power of two up to 32.
std::optional<ValueExchange> exchange_of(const ExchangeName& called, Value lane, const std::vector<Operand>& values) {
  if (std::ranges::any_of(values, [](const Operand& value) { return value.type.is_opaque; })) return std::nullopt;
  ValueExchange exchange;
  exchange.function = called.function;
  exchange.value = values[0].expr;
  exchange.type = promote(values[0].expr.result_type());
  const bool is_truth = called.function == Function::Any || called.function == Function::All ||
                        called.function == Function::Ballot || called.function == Function::Count;
  if (is_truth) {  // the predicate is an int parameter
    exchange.type = kInt;
    exchange.value = Expr::make_cast(std::move(exchange.value), kInt);
  }
  if (!called.shuffle) return exchange;
  const Expr width = values.size() > 2 ? values[2].expr : Expr::make_constant(kLanes);
  const bool is_width = width.is_constant() && width.constant > 0 && width.constant <= kLanes &&
                        std::has_single_bit(static_cast<std::uint64_t>(width.constant));
  if (!is_width) return std::nullopt;
  const Value clamp = called.shuffle == ShuffleMode::Up ? 0 : kLanes - 1;
  exchange.source = shuffle_source(*called.shuffle, lane, values[1].expr, clamp, kLanes - width.constant).lane;
  return exchange;
}

}  // namespace

bool exchanges_values(std::string_view name) { return find_exchange(name) != nullptr || name == "__activemask"; }

/// Returns the arguments as numbers; nothing after an error.
std::optional<std::vector<Operand>> BarrierLowering::exchanged_numbers(const Call& call) {
  std::vector<Operand> values;
  for (const ExprNode& argument : call.arguments) {
    values.push_back(thread_.value(argument));
    const Operand& value = values.back();
    if (value.erroneous) return std::nullopt;
    if (!value.type.is_pointer && !is_struct_value(value.type)) continue;
    thread_.error(argument.span, fmt::format("'{}' exchanges numbers, not {}", call.name, to_string(value.type)));
    return std::nullopt;
  }
  return values;
}

Operand BarrierLowering::exchange(const Call& call) {
  if (call.name == "__activemask") {  // the result depends on the schedule of the lanes
    if (!thread_.expect_count(call, 0, 0, "__activemask()")) return std::nullopt;
    return Operand::opaque(Type{.scalar = kUnsigned});
  }
  const ExchangeName& called = *find_exchange(call.name);
  const std::size_t least = called.is_of_block ? 1 : called.shuffle ? 3 : 2;
  if (!thread_.expect_count(call, least, called.shuffle ? 4 : least, "")) return std::nullopt;
  std::optional<std::vector<Operand>> values = exchanged_numbers(call);
  if (!values) return std::nullopt;
  Barrier barrier;
  bool is_followed = true;
  if (!called.is_of_block) {
    // The lanes wait for each other, but the wait does not order memory accesses (CUDA C++ Programming Guide, "Warp
    // Shuffle Functions"). If the mask is unknown, Ambit emits no barrier: no memory access can observe the wait.
    const Expr mask = values->front().expr;
    values->erase(values->begin());
    is_followed = mask.is_constant();
    barrier.kind = BarrierKind::Warp;
    barrier.is_relaxed = true;
    barrier.mask = is_followed ? static_cast<std::uint32_t>(mask.constant & 0xffffffffLL) : 0;
    if (is_followed && !is_in_mask(call, barrier.mask)) return std::nullopt;
  }
  Type type{.scalar = promote(values->front().expr.result_type())};
  if (values->front().type.is_opaque) type = values->front().type;
  if (called.function == Function::Ballot || called.function == Function::Match) type = Type{.scalar = kUnsigned};
  const bool is_int =
      called.function == Function::Any || called.function == Function::All || called.function == Function::Count;
  if (is_int) type = Type{};
  // The exchange is emitted even if this thread does not use the result, because other threads receive the value.
  if (is_followed) barrier.exchange = exchange_of(called, thread_.setting.place.lane, *values);
  if (!barrier.exchange) {
    if (is_followed) emit(call, std::move(barrier));
    return Operand::opaque(type, *values);
  }
  const RegisterId target = thread_.code.temporary(type.scalar);
  barrier.exchange->target = target;
  emit(call, std::move(barrier));
  return {Expr::make_register(target, type.scalar), type};
}

}  // namespace ambit::parser::litmus
