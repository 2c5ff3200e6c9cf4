#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// Details of a statement that a skeleton does not contain.
struct ActDetail {
  int value = 0;                        ///< the value written; for an update, the value added
  std::optional<std::uint32_t> target;  ///< register of a read or an update, numbered in each thread
  std::optional<std::uint32_t> guard;   ///< register that must not be 0
};

/// Returns the details by thread, by statement.
std::vector<std::vector<ActDetail>> details_of(const Skeleton& skeleton);

}  // namespace ambit::synthesis
