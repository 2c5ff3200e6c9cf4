#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// The lanes of a warp in groups, each at one instruction. The group at the lowest instruction of the innermost call
/// runs; groups join where they meet. A group that only polls makes room for the next one: without that, lanes that
/// wait for a lock are at a lower instruction than its holder and wait for ever.

/// The running lanes become a group that stands at `at` and may run.
void set_aside(Warp& warp, const Instruction* at);
/// The running lanes become a group that waits. Its members are filled in by the caller through the reference.
Group& park(Warp& warp, const Instruction* at, GroupState state);
/// Chooses the lanes that run next, and sets Warp::meet. False when all wait or have exited.
bool choose_group(Warp& warp);

}  // namespace ambit::virtual_gpu
