#pragma once

#include <optional>

#include "parser/litmus/threads.h"

namespace ambit::parser::litmus {

/// The sizes between <<< and >>> in a launch.
struct LaunchSizes {
  ThreadSetting::Triple grid = {1, 1, 1};
  ThreadSetting::Triple block = {1, 1, 1};
  Value shared_bytes = 0;
};

/// Reads the sizes of a launch: numbers, `dim3(x, y, z)` or `(x, y, z)`. Errors: a size is not a constant, is 0 or
/// exceeds CUDA's limit; the launch has too few or too many sizes.
std::optional<LaunchSizes> read_launch_sizes(const LaunchNode& node, MemoryTable& memory, Reporter& reporter);

}  // namespace ambit::parser::litmus
