#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// True for registers whose value stays while a thread lives: they are filled in once for a frame. The others (%clock
/// ...) are read by `mov` alone.
bool is_fixed(ptx::SpecialRegister special);
/// False for registers that the virtual GPU does not have.
bool is_known(ptx::SpecialRegister special);
/// Reads of these need kReservedShared more bytes of shared memory, behind what the kernel has.
bool is_reserved(ptx::SpecialRegister special);
inline constexpr std::uint32_t kReservedShared = 2048;
/// The value for one lane.
std::uint64_t special_value(const Warp& warp, ptx::SpecialRegister special, unsigned lane);
/// Fills the constants of a frame: all of them when it `is_fresh`, else those that depend on the warp.
void fill_constants(Frame& frame, const Warp& warp, bool is_fresh);

}  // namespace ambit::virtual_gpu
