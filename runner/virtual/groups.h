#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// The lanes of a warp in groups, each at one instruction. The group at the lowest instruction of the innermost call
/// runs; groups join where they meet. Without more, lanes that wait for a lock are at a lower instruction than its
/// holder and wait for ever. So a group that only polls gives way to the one that has waited longest, and keeps it from
/// nothing until that one polls, too: each group's turn comes after no more turns than there are groups. Groups that
/// always wait for each other, and so never poll, give way after a bounded number of choices.

/// The running lanes become a group that stands at `at` and may run.
void set_aside(Warp& warp, const Instruction* at);
/// The running lanes become a group that waits. Its members are filled in by the caller through the reference.
Group& park(Warp& warp, const Instruction* at, GroupState state);
/// Chooses the lanes that run next, and sets Warp::meet. False when all wait or have exited.
bool choose_group(Warp& warp);

}  // namespace ambit::virtual_gpu
