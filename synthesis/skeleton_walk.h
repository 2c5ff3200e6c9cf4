#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// Details of a statement that a skeleton omits.
struct ActDetail {
  int value = 0;                        ///< the value that a write stores or an update adds
  std::optional<std::uint32_t> target;  ///< register of a read or an update, numbered in each thread
  std::optional<std::uint32_t> guard;   ///< register that must not be 0 for the statement to take place
};

/// Returns, for each thread, the details of its statements.
std::vector<std::vector<ActDetail>> details_of(const Skeleton& skeleton);

}  // namespace ambit::synthesis
