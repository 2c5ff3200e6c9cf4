#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// What a skeleton leaves out of a statement.
struct ActDetail {
  int value = 0;                        ///< written; of an update what it adds
  std::optional<std::uint32_t> target;  ///< register of a read or an update, numbered in each thread
  std::optional<std::uint32_t> guard;   ///< register that must not be 0
};

/// By thread, by statement.
std::vector<std::vector<ActDetail>> details_of(const Skeleton& skeleton);

}  // namespace ambit::synthesis
