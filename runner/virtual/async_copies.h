#pragma once

#include "runner/virtual/block.h"

namespace ambit::virtual_gpu {

// Copies by cp.async (PTX ISA 9.0, section 9.7.9.25). A copy is performed as late as PTX allows, or earlier if the
// schedule chooses an earlier time. Therefore a program that does not wait for a copy may see the old values.

/// Returns the function for cp.async. `d` is the shared address, `a` the global address. The next MemoryOperation
/// describes the write.
Execute find_async_copy(bool is_spread);
void execute_async_commit(WarpCore& core, const Instruction& instruction);
/// Executes the waits for copies. `value` is the number of commit groups that may stay pending, or -1 for wait_all.
void execute_async_wait(WarpCore& core, const Instruction& instruction);

/// Performs all pending copies of the lanes in WarpCore::mask, which are about to exit.
void complete_copies(WarpCore& core);
/// Defers a lane's arrival until the copies that the lane has issued are complete. `barrier` is the mbarrier's offset
/// in shared memory. `site` is the instruction.
void track_copies(Warp& warp, unsigned lane, std::uint32_t barrier, std::uint32_t site);
/// Performs the copies that a deferred arrival waits for, and reports the arrival. The arrival has changed the mbarrier
/// object from `old` to `now`.
void complete_deferred(Block& block, const DeferredArrival& arrival, std::uint64_t old, std::uint64_t now);

}  // namespace ambit::virtual_gpu
