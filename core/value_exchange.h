#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/program.h"

namespace ambit {

/// One thread's contribution to an exchange.
struct Gift {
  std::uint32_t lane = 0;
  Value value = 0;
};

/// Returns the operator that combines the contributions, which joined_gift() has converted. Returns nothing for a
/// shuffle, which combines nothing.
std::optional<Op> operator_of(ValueExchange::Function function);

/// Returns the type in which the operator combines the contributions.
ScalarType joined_type(const ValueExchange& exchange);

/// The way in which a shuffle selects the source lane.
enum class ShuffleMode : std::uint8_t { Index, Up, Down, Xor };

struct ShuffleSource {
  Expr lane;           ///< the source lane; the receiving lane itself if the source lane is outside the segment
  Expr is_in_segment;  ///< 0 or 1
};

/// Returns the source lane, whose value lane `lane` receives. `argument` is an index, a distance or a mask; only its
/// lowest five bits count. `clamp` and `segment_mask` are bits 4:0 and 12:8 of the operand c (PTX ISA, shfl.sync).
ShuffleSource shuffle_source(ShuffleMode mode, Value lane, const Expr& argument, Value clamp, Value segment_mask);

/// Returns the value that a thread receives after all threads of the exchange, including itself, have contributed. For
/// a Shuffle, `source` is the source lane. Returns nothing if the source lane does not take part, because CUDA then
/// leaves the value undefined. Source: CUDA C++ Programming Guide, "Warp Shuffle Functions", "Warp Vote Functions",
/// "Warp Match Functions", "Warp Reduce Functions", "Synchronization Functions".
std::optional<Value> received(const ValueExchange& exchange, Value own, Value source, std::span<const Gift> gifts);

}  // namespace ambit
