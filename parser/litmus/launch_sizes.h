#pragma once

#include <optional>

#include "parser/litmus/threads.h"

namespace ambit::parser::litmus {

/// The sizes between <<< and >>>.
struct LaunchSizes {
  ThreadSetting::Triple grid = {1, 1, 1};
  ThreadSetting::Triple block = {1, 1, 1};
  Value shared_bytes = 0;
};

/// Reads the sizes of a launch: numbers, `dim3(x, y, z)` or `(x, y, z)`. Errors, reported: a size that is not a
/// constant, is 0 or is above CUDA's limit; too few or too many sizes.
std::optional<LaunchSizes> read_launch_sizes(const LaunchNode& node, MemoryTable& memory, Reporter& reporter);

}  // namespace ambit::parser::litmus
