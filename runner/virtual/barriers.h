#pragma once

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// Executes bar.sync, bar.arrive, bar.red and the equivalent `barrier` instructions. Counts threads, not warps.
/// Barriers do not wait for exited threads.
void execute_barrier(WarpCore& core, const Instruction& instruction);
void execute_cluster_arrive(WarpCore& core, const Instruction& instruction);
void execute_cluster_wait(WarpCore& core, const Instruction& instruction);

}  // namespace ambit::virtual_gpu
