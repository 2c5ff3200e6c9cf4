#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/source.h"
#include "core/program.h"

namespace ambit::standalone {

/// A launch in which the threads of a test have the required places. In a test with wgmma, a thread becomes whole warps
/// on hardware (runner/cuda/emit/warpgroups.h). When Ambit reads the program, it finds a single thread.
struct LaunchShape {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 1;          ///< threads of a block
  std::uint32_t cluster = 1;          ///< blocks of a cluster
  std::uint32_t read_threads = 1;     ///< number of threads of a block when Ambit reads the program
  std::vector<std::uint32_t> firsts;  ///< for each thread of the test, the threadIdx.x of its first lane

  /// Returns the threadIdx.x of a thread of the test that becomes a single thread of the launch.
  static std::uint32_t thread_of(const ThreadPlace& place) {
    return static_cast<std::uint32_t>(place.warp * 32 + place.lane);
  }
};

/// Returns the rank of a block in the cluster of a thread. Returns nothing if the block is in another cluster.
std::optional<int> rank_in_cluster(const Program& program, const Thread& thread, int block);

/// Returns the launch of a test. Errors: threads on several GPUs, a block with more than 1024 threads, clusters of
/// different sizes or with blocks that are not consecutive.
Result<LaunchShape> launch_shape(const Program& program);

}  // namespace ambit::standalone
