#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/unit/virtual/reference_instructions.h"

namespace ambit::virtual_gpu::reference {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using u128 = unsigned __int128;
using s128 = __int128;

inline float f32(u64 bits) { return std::bit_cast<float>(static_cast<u32>(bits)); }
inline double f64(u64 bits) { return std::bit_cast<double>(bits); }

using List = std::vector<ReferenceInstruction>;
void add_integers(List& list);
void add_bits(List& list);
void add_comparisons(List& list);
void add_floats(List& list);
void add_conversions(List& list);

}  // namespace ambit::virtual_gpu::reference

// Computes an instruction's result from the bits of its sources.
#define FUNCTION [](u64 a, [[maybe_unused]] u64 b, [[maybe_unused]] u64 c) -> u64
