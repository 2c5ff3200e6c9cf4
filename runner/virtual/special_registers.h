#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// Returns whether the register's value is fixed while a thread lives, so that frames store it once. Only `mov` reads
/// the other registers (%clock ...).
bool is_fixed(ptx::SpecialRegister special);
/// Returns whether the virtual GPU has the register.
bool is_known(ptx::SpecialRegister special);
/// Returns whether reads of the register need kReservedShared more bytes of shared memory, after the kernel's own.
bool is_reserved(ptx::SpecialRegister special);
inline constexpr std::uint32_t kReservedShared = 2048;
/// Returns the value for one lane.
std::uint64_t special_value(const Warp& warp, ptx::SpecialRegister special, unsigned lane);
/// Fills in the constants of a frame: all constants if the frame `is_fresh`, otherwise only those that depend on the
/// warp.
void fill_constants(Frame& frame, const Warp& warp, bool is_fresh);

}  // namespace ambit::virtual_gpu
