#pragma once

#include <cstdint>

#include "ptx/opcode.h"
#include "ptx/types.h"
#include "runner/virtual/instruction.h"

namespace ambit::virtual_gpu {

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up, Away };

/// The comparisons from Equal to LessOrEqual are false for NaN. The comparisons from EqualOrNan to GreaterEqualOrNan
/// are true for NaN. AreNumbers and HasNan test for NaN.
enum class Comparison : std::uint8_t {
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  EqualOrNan,
  NotEqualOrNan,
  LessOrNan,
  LessEqualOrNan,
  GreaterOrNan,
  GreaterEqualOrNan,
  AreNumbers,
  HasNan,
};

enum class Part : std::uint8_t { Low, High, Wide };

/// Modes of prmt and shf, and the tests of testp.
enum class Mode : std::uint8_t {
  None,
  Forward4,
  Backward4,
  Replicate8,
  EdgeClampLeft,
  EdgeClampRight,
  Replicate16,
  LeftClamp,
  LeftWrap,
  RightClamp,
  RightWrap,
  Finite,
  Infinite,
  Number,
  NotANumber,
  Normal,
  Subnormal,
};

/// The key that selects the function for an arithmetic instruction. Bit types (.b32) appear as unsigned types.
struct ArithmeticKey {
  ptx::Opcode opcode = ptx::Opcode::Unknown;
  ptx::Type type = ptx::Type::None;    ///< type of the result; for setp, of the operands
  ptx::Type source = ptx::Type::None;  ///< second type: cvt, set, slct, dp4a
  Rounding rounding = Rounding::Nearest;
  bool rounds_to_integer = false;
  bool flushes = false;    ///< .ftz
  bool saturates = false;  ///< .sat
  bool is_finite = false;  ///< .satfinite
  bool is_approximate = false;
  bool keeps_nan = false;  ///< min.NaN, max.NaN
  bool is_relu = false;
  bool uses_sign = false;    ///< min.xorsign.abs
  bool gives_shift = false;  ///< bfind.shiftamt
  bool carries_in = false;
  bool carries_out = false;
  Part part = Part::Low;
  Comparison comparison = Comparison::Equal;
  Mode mode = Mode::None;
};

/// The operation by which setp and set combine the comparison with a predicate (Instruction::value).
enum class Combination : std::uint8_t { None, And, Or, Xor };
constexpr std::int64_t pack_combination(Combination combination, bool negates) {
  return static_cast<std::int64_t>(combination) | (negates ? 16 : 0);
}

/// Vectorised instructions, compiled for the oldest processors and for x86-64-v3. The functions return null if there is
/// no vectorised instruction for the key. The operands are d, a, b and c. For setp, `extra` is the second result or
/// kNoResult, and c is the predicate. For bfi, `extra` is the fourth operand. For lop3, `value` is the table.
namespace baseline {
Execute find_integer(const ArithmeticKey& key);
Execute find_float(const ArithmeticKey& key);
}  // namespace baseline
namespace version3 {
Execute find_integer(const ArithmeticKey& key);
Execute find_float(const ArithmeticKey& key);
}  // namespace version3
inline constexpr std::uint32_t kNoResult = 0xffffffff;

/// Returns the best function for the processor of this computer.
Execute find_integer(const ArithmeticKey& key);
Execute find_float(const ArithmeticKey& key);
/// Returns functions that work lane by lane: half precision, directed rounding, special functions, packed types.
Execute find_scalar(const ArithmeticKey& key);

}  // namespace ambit::virtual_gpu
