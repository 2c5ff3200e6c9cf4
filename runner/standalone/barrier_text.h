#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::standalone {

/// Returns the CUDA number of a barrier of the block: the barrier's resource, if it has one, otherwise its number.
/// Returns nothing if the resource is not constant or exceeds CUDA's 16 barriers, or if another barrier may have the
/// same number.
std::optional<Value> barrier_number(const Program& program, const Barrier& barrier);

/// Returns whether the barrier waits for all threads of the test in the block.
bool waits_for_all(const Program& program, const ThreadPlace& place, const Barrier& barrier);

/// Returns the text of a barrier for all threads of the block. The threads of a warp may be in different branches when
/// they arrive. `__barrier_sync(0)` (PTX barrier.sync) allows this, but `__syncthreads()` (PTX bar.sync, aligned) does
/// not.
std::string full_barrier(Value number);

/// Returns the text of a barrier of the cluster, or inline assembly for its arrival or its wait.
std::string cluster_barrier(const Barrier& barrier);

/// Returns statements for the barriers that all threads of a block reach, in the order of the code. Returns nothing if
/// some barrier is conditional, or if the threads of the block have different barriers.
std::optional<std::vector<std::string>> block_barriers(const Program& program, int block);

}  // namespace ambit::standalone
