#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/program.h"

namespace ambit {

/// What one thread gives to an exchange.
struct Gift {
  std::uint32_t lane = 0;
  Value value = 0;
};

/// The operator that joins what the threads give, once each gift is brought into the form of `joined_gift`; nothing for
/// a shuffle, which joins nothing.
std::optional<Op> operator_of(ValueExchange::Function function);

/// The type in which the gifts are joined.
ScalarType joined_type(const ValueExchange& exchange);

/// Which lane a shuffle takes its value from.
enum class ShuffleMode : std::uint8_t { Index, Up, Down, Xor };

struct ShuffleSource {
  Expr lane;           ///< the lane itself where the shuffle would leave its segment
  Expr is_in_segment;  ///< 0 or 1
};

/// The lane from which lane `lane` takes its value. `argument`: an index, a distance or a mask, of which the lowest
/// five bits count; `clamp` and `segment_mask`: bits 4:0 and 12:8 of the operand c (PTX ISA, shfl.sync).
ShuffleSource shuffle_source(ShuffleMode mode, Value lane, const Expr& argument, Value clamp, Value segment_mask);

/// What the thread of `lane` receives from the threads that meet, itself included. `source`: Shuffle: the lane that it
/// names. Nothing where CUDA leaves the value undefined: that lane takes no part (CUDA C++ Programming Guide, "Warp
/// Shuffle Functions", "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions", "Synchronization
/// Functions").
std::optional<Value> received(const ValueExchange& exchange, Value own, Value source, std::span<const Gift> gifts);

}  // namespace ambit
