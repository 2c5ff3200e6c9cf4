#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// Returns whether the register's value never changes during a thread's life. Frames store the value of a constant
/// register once. Only `mov` reads the other registers (%clock ...).
bool is_fixed(ptx::SpecialRegister special);
/// Returns whether the virtual GPU has the register.
bool is_known(ptx::SpecialRegister special);
/// Returns whether a kernel that reads the register needs kReservedShared more bytes of shared memory, after its own
/// shared memory.
bool is_reserved(ptx::SpecialRegister special);
inline constexpr std::uint32_t kReservedShared = 2048;
/// Returns the register's value for one lane.
std::uint64_t special_value(const Warp& warp, ptx::SpecialRegister special, unsigned lane);
/// Fills in the constants of a frame. If `is_fresh` is false, fills in only the constants that depend on the warp.
void fill_constants(Frame& frame, const Warp& warp, bool is_fresh);

}  // namespace ambit::virtual_gpu
