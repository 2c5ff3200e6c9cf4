#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::standalone {

/// The number of a barrier of the block: PTX names some barriers by two numbers, of which the first is the same in the
/// whole test. Nothing: the number is no constant, or there is no room for it among CUDA's 16 barriers.
std::optional<Value> barrier_number(const Program& program, const Barrier& barrier);

/// Whether the barrier waits for all threads of the test that are in the block.
bool waits_for_all(const Program& program, const ThreadPlace& place, const Barrier& barrier);

/// A barrier of all threads of the block. The threads of a warp stand in different branches there, which
/// `__syncthreads()` (PTX bar.sync, aligned) does not allow and `__barrier_sync(0)` (PTX barrier.sync) does.
std::string full_barrier(Value number);

/// A barrier of the cluster, or a half of it in assembly.
std::string cluster_barrier(const Barrier& barrier);

/// The barriers of a block that all its threads reach, in the order of the code, as statements. Nothing: some barrier
/// is conditional, or the threads of the block have different ones.
std::optional<std::vector<std::string>> block_barriers(const Program& program, int block);

}  // namespace ambit::standalone
