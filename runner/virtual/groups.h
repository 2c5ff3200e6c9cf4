#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// The lanes of a warp form groups; the lanes of a group are at the same instruction. The group at the lowest
/// instruction of the innermost call runs. Groups at the same instruction are merged. With this rule alone, lanes that
/// wait for a lock could run forever, if the holder of the lock is at a higher instruction. Therefore a group that only
/// polls yields to the group that has waited longest. The chosen group runs until it also polls. With n groups, each
/// group gets its turn after at most n turns. A group that does not poll may also keep other groups from running.
/// Therefore a group that has not been chosen for a fixed number of choices runs next.

/// Makes the running lanes a runnable group at the instruction `at`.
void set_aside(Warp& warp, const Instruction* at);
/// Makes the running lanes a group that waits. The caller must set the other members of the returned group.
Group& park(Warp& warp, const Instruction* at, GroupState state);
/// Chooses the lanes that run next, and sets Warp::meet. Returns false if all lanes wait or have exited.
bool choose_group(Warp& warp);

}  // namespace ambit::virtual_gpu
