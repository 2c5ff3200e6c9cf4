#pragma once

#include <cstdint>
#include <string>

#include "core/expr.h"

namespace ambit {

/// A cell of 16 bytes (PTX `.b128`) represents a 64-bit value v: both halves of the cell hold v. Loads, stores,
/// exchanges and compare-and-swaps are the only instructions of that width, so a program cannot observe this
/// representation. If a read returns two different halves, the read was not one memory operation.
constexpr bool is_wide(ScalarType type) { return type.bits > 64; }

/// The upper half of the values that represent torn reads: "torn" in ASCII. The lower half of a torn value has the
/// lower 16 bits of the read's upper half, then the lower 16 bits of the read's lower half (kernels/wide.cuh). A test's
/// constants for 16-byte cells are never torn values (check_range).
inline constexpr std::uint64_t kTornMark = 0x746f726e;

constexpr bool is_torn(Value value) { return static_cast<std::uint64_t>(value) >> 32U == kTornMark; }
/// Returns the text of a torn value: "torn(1|0)" combines the lower half of the value 1 and the upper half of the value
/// 0.
std::string torn_text(Value value);

}  // namespace ambit
