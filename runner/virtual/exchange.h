#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// Executes bar.warp.sync, shfl.sync, vote.sync, match.sync, redux.sync and elect.sync. The lanes of the member mask
/// wait for each other. These lanes may execute different instructions of the same kind. Lanes do not wait for exited
/// lanes.
void execute_exchange(WarpCore& core, const Instruction& instruction);
/// Executes shfl and vote without .sync. The active lanes take part.
void execute_exchange_of_active(WarpCore& core, const Instruction& instruction);
/// Releases lanes that wait in an exchange if all other lanes of their member mask have arrived or exited.
void complete_exchanges(Warp& warp);

}  // namespace ambit::virtual_gpu
