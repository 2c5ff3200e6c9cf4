#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// bar.warp.sync, shfl.sync, vote.sync, match.sync, redux.sync, elect.sync: the lanes of the member mask wait for each
/// other, at instructions of one kind that may differ. Exited lanes do not hold the others up.
void execute_exchange(WarpCore& core, const Instruction& instruction);
/// shfl, vote without .sync: the active lanes.
void execute_exchange_of_active(WarpCore& core, const Instruction& instruction);
/// Lets those go on whose last missing lane has exited or arrived.
void complete_exchanges(Warp& warp);

}  // namespace ambit::virtual_gpu
