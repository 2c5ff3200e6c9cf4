#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// The lanes of a warp form groups; the lanes of a group are at one instruction. The group at the lowest instruction of
/// the innermost call runs, and groups join where they meet. By this rule alone, lanes that wait for a lock at a lower
/// instruction than the lock's holder would wait forever. Therefore a group that only polls yields to the group that
/// has waited longest, which runs until it polls, too. Each group's turn comes after at most as many turns as there are
/// groups. Groups that always wait for each other never poll; they yield after a bounded number of choices.

/// Turns the running lanes into a runnable group at `at`.
void set_aside(Warp& warp, const Instruction* at);
/// Turns the running lanes into a group that waits. The caller fills in the group's members through the reference.
Group& park(Warp& warp, const Instruction* at, GroupState state);
/// Chooses the lanes that run next, and sets Warp::meet. Returns false if all lanes wait or have exited.
bool choose_group(Warp& warp);

}  // namespace ambit::virtual_gpu
