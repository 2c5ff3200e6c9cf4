#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// bar.warp.sync, shfl.sync, vote.sync, match.sync, redux.sync, elect.sync: the lanes of the member mask wait for each
/// other. Their instructions may differ, but must be of one kind. Lanes do not wait for exited lanes.
void execute_exchange(WarpCore& core, const Instruction& instruction);
/// shfl and vote without .sync: the active lanes take part.
void execute_exchange_of_active(WarpCore& core, const Instruction& instruction);
/// Releases the lanes whose last missing lane has exited or arrived.
void complete_exchanges(Warp& warp);

}  // namespace ambit::virtual_gpu
