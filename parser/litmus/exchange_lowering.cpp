// Functions by which the lanes of a warp, or the threads of a block, meet and exchange values: shuffles, votes,
// reductions, __syncthreads_count and its variants. Ambit does not follow the values that come from other threads.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parser/litmus/barrier_lowering.h"
#include "parser/litmus/math_functions.h"

namespace ambit::parser::litmus {
namespace {

/// A function whose first argument is the mask of the lanes that meet.
struct Exchange {
  std::string_view name;
  std::size_t least_arguments;
  std::size_t most_arguments;
  enum class Result : std::uint8_t { OfValue, Int, Unsigned } result;
};
constexpr std::array kWarpExchanges = {Exchange{"__shfl_sync", 3, 4, Exchange::Result::OfValue},
                                       Exchange{"__shfl_up_sync", 3, 4, Exchange::Result::OfValue},
                                       Exchange{"__shfl_down_sync", 3, 4, Exchange::Result::OfValue},
                                       Exchange{"__shfl_xor_sync", 3, 4, Exchange::Result::OfValue},
                                       Exchange{"__reduce_add_sync", 2, 2, Exchange::Result::OfValue},
                                       Exchange{"__reduce_min_sync", 2, 2, Exchange::Result::OfValue},
                                       Exchange{"__reduce_max_sync", 2, 2, Exchange::Result::OfValue},
                                       Exchange{"__reduce_and_sync", 2, 2, Exchange::Result::OfValue},
                                       Exchange{"__reduce_or_sync", 2, 2, Exchange::Result::OfValue},
                                       Exchange{"__reduce_xor_sync", 2, 2, Exchange::Result::OfValue},
                                       Exchange{"__any_sync", 2, 2, Exchange::Result::Int},
                                       Exchange{"__all_sync", 2, 2, Exchange::Result::Int},
                                       Exchange{"__ballot_sync", 2, 2, Exchange::Result::Unsigned},
                                       Exchange{"__match_any_sync", 2, 2, Exchange::Result::Unsigned}};
constexpr std::array kBlockExchanges = {std::string_view("__syncthreads_count"), std::string_view("__syncthreads_and"),
                                        std::string_view("__syncthreads_or")};

const Exchange* find_warp_exchange(std::string_view name) {
  for (const Exchange& exchange : kWarpExchanges) {
    if (exchange.name == name) return &exchange;
  }
  return nullptr;
}

bool is_block_exchange(std::string_view name) {
  return std::find(kBlockExchanges.begin(), kBlockExchanges.end(), name) != kBlockExchanges.end();
}

}  // namespace

bool exchanges_values(std::string_view name) {
  return find_warp_exchange(name) != nullptr || is_block_exchange(name) || name == "__activemask";
}

Operand BarrierLowering::exchange(const Call& call) {
  if (call.name == "__activemask") {  // depends on how the hardware schedules the lanes
    if (!thread_.expect_count(call, 0, 0, "__activemask()")) return std::nullopt;
    return Operand::opaque(Type{.scalar = kUnsigned});
  }
  const Exchange* warp = find_warp_exchange(call.name);
  const std::size_t least = warp == nullptr ? 1 : warp->least_arguments;
  const std::size_t most = warp == nullptr ? 1 : warp->most_arguments;
  if (!thread_.expect_count(call, least, most, "")) return std::nullopt;
  std::vector<Operand> values;
  for (const ExprNode& argument : call.arguments) {
    values.push_back(thread_.value(argument));
    const Operand& value = values.back();
    if (value.erroneous) return std::nullopt;
    if (value.type.is_pointer || is_struct_value(value.type)) {
      return thread_.error(argument.span,
                           fmt::format("'{}' exchanges numbers, not {}", call.name, to_string(value.type)));
    }
  }
  Barrier barrier;
  if (warp == nullptr) {
    emit(call, barrier);
    return Operand::opaque(Type{}, {values.front()});
  }
  // The lanes wait for each other, without any order of their memory accesses (CUDA C++ Programming Guide, "Warp
  // Shuffle Functions"). Where the mask is not known, so is who waits, which no other access can tell.
  if (values.front().expr.is_constant()) {
    barrier.kind = BarrierKind::Warp;
    barrier.is_relaxed = true;
    barrier.mask = static_cast<std::uint32_t>(values.front().expr.constant & 0xffffffffLL);
    if (!is_in_mask(call, barrier.mask)) return std::nullopt;
    emit(call, barrier);
  }
  Type type;
  if (warp->result == Exchange::Result::Unsigned) type.scalar = kUnsigned;
  if (warp->result == Exchange::Result::OfValue) {
    const Operand& value = values[1];
    type = value.type.is_opaque ? value.type : Type{.scalar = promote(value.expr.result_type())};
  }
  values.erase(values.begin());
  return Operand::opaque(type, values);
}

}  // namespace ambit::parser::litmus
