#pragma once

#include <cstdint>

#include "core/program.h"
#include "core/source.h"

namespace ambit::standalone {

/// The launch that places the threads of a test as the test says.
struct LaunchShape {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 1;  ///< of a block
  std::uint32_t cluster = 1;  ///< blocks of a cluster

  /// threadIdx.x of a thread.
  static std::uint32_t thread_of(const ThreadPlace& place) {
    return static_cast<std::uint32_t>(place.warp * 32 + place.lane);
  }
};

/// Errors: threads on several GPUs, a block of more than 1024 threads, clusters that are not equally large or whose
/// blocks do not follow each other.
Result<LaunchShape> launch_shape(const Program& program);

}  // namespace ambit::standalone
