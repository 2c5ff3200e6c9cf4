#pragma once

#include <bit>
#include <cstdint>

#include "runner/virtual/arithmetic.h"

namespace ambit::virtual_gpu {

/// The contents of Instruction::value for an instruction that find_scalar() has selected.
struct ScalarCode {
  std::uint8_t opcode = 0;
  std::uint8_t type = 0;
  std::uint8_t source = 0;
  std::uint8_t rounding = 0;
  std::uint8_t comparison = 0;  ///< cvt: bytes of the result's slot for one lane
  std::uint8_t mode = 0;        ///< cvt: bytes of the source's slot for one lane
  std::uint8_t flags = 0;
  std::uint8_t combination = 0;  ///< result of pack_combination; for products, the Part
};
static_assert(sizeof(ScalarCode) == 8);

enum ScalarFlag : std::uint8_t {
  kFlushes = 1,
  kSaturates = 2,
  kApproximate = 4,
  kKeepsNan = 8,
  kRelu = 16,
  kUsesSign = 32,
  kToInteger = 64,
  kFinite = 128,
};

inline ScalarCode scalar_code(const Instruction& instruction) { return std::bit_cast<ScalarCode>(instruction.value); }

inline std::int64_t pack_scalar(const ArithmeticKey& key, std::int64_t combination) {
  ScalarCode code;
  code.opcode = static_cast<std::uint8_t>(key.opcode);
  code.type = static_cast<std::uint8_t>(key.type);
  code.source = static_cast<std::uint8_t>(key.source);
  code.rounding = static_cast<std::uint8_t>(key.rounding);
  code.comparison = static_cast<std::uint8_t>(key.comparison);
  code.mode = static_cast<std::uint8_t>(key.mode);
  code.flags = static_cast<std::uint8_t>((key.flushes ? kFlushes : 0) | (key.saturates ? kSaturates : 0) |
                                         (key.is_approximate ? kApproximate : 0) | (key.keeps_nan ? kKeepsNan : 0) |
                                         (key.is_relu ? kRelu : 0) | (key.uses_sign ? kUsesSign : 0) |
                                         (key.rounds_to_integer ? kToInteger : 0) | (key.is_finite ? kFinite : 0));
  code.combination = static_cast<std::uint8_t>(combination);
  return std::bit_cast<std::int64_t>(code);
}

/// Executes cvt with any types (conversions.cpp).
void execute_conversion(WarpCore& core, const Instruction& instruction);

}  // namespace ambit::virtual_gpu
