#pragma once

#include <cstdint>

namespace ambit::virtual_gpu {

struct WarpCore;
struct Instruction;

/// Executes one instruction for the lanes in WarpCore::mask, which is not empty.
using Execute = void (*)(WarpCore&, const Instruction&);

/// One translated instruction. `d`, `a`, `b`, `c` and `guard` are byte offsets in the frame of the running lanes. A
/// value is an array of 32 elements, one for each lane, of 2 (8- and 16-bit types), 4, 8 or 16 bytes. A predicate is
/// one 32-bit mask.
struct Instruction {
  Execute execute = nullptr;
  std::uint32_t d = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::uint32_t guard = 0;   ///< offset of a predicate; kAlways if there is no guard
  std::uint32_t invert = 0;  ///< all ones for a negated guard (@!p)
  std::uint32_t site = 0;
  std::uint32_t extra = 0;              ///< index into a table of FunctionCode, or a small number; depends on `execute`
  std::int64_t value = 0;               ///< address offset or number; depends on `execute`
  const Instruction* target = nullptr;  ///< target of a branch
};

/// Offsets that are valid in every frame.
inline constexpr std::uint32_t kAlways = 0;  ///< offset of a predicate that is true
inline constexpr std::uint32_t kNever = 4;   ///< offset of a predicate that is false
/// Offset of a predicate with the carry bit of add.cc and similar instructions.
inline constexpr std::uint32_t kCarry = 8;
inline constexpr std::uint32_t kFirstFree = 64;

/// Number of lanes of a warp.
inline constexpr unsigned kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xffffffff;

/// The state of the executing warp that every instruction needs. The struct has no functions, because files that are
/// compiled for several processors include this header.
struct WarpCore {
  std::uint8_t* frame = nullptr;      ///< frame of the running lanes, aligned to 64 bytes
  std::uint32_t mask = 0;             ///< running lanes whose guard holds
  std::uint32_t active = 0;           ///< running lanes
  const Instruction* next = nullptr;  ///< next instruction; branches change it
  bool is_interrupted = false;        ///< the warp must form groups again, or the launch ends
};

}  // namespace ambit::virtual_gpu
