#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::standalone {

/// Returns the number of a barrier of the block. PTX identifies some barriers by two numbers; the first is
/// constant in the whole test. Nothing: the number is not constant, or exceeds CUDA's 16 barriers.
std::optional<Value> barrier_number(const Program& program, const Barrier& barrier);

/// Returns whether the barrier waits for all threads of the test that are in the block.
bool waits_for_all(const Program& program, const ThreadPlace& place, const Barrier& barrier);

/// Returns a barrier of all threads of the block. The threads of a warp are in different branches there, which
/// `__barrier_sync(0)` (PTX barrier.sync) allows and `__syncthreads()` (PTX bar.sync, aligned) does not.
std::string full_barrier(Value number);

/// Returns a barrier of the cluster, or a half of it in assembly.
std::string cluster_barrier(const Barrier& barrier);

/// Returns the barriers of a block that all its threads reach, in the order of the code, as statements. Nothing: some
/// barrier is conditional, or the threads of the block have different barriers.
std::optional<std::vector<std::string>> block_barriers(const Program& program, int block);

}  // namespace ambit::standalone
