#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// The details of a statement that a skeleton omits.
struct ActDetail {
  int value = 0;                        ///< the value that a write stores or an update adds
  std::optional<std::uint32_t> target;  ///< register of a read or an update, numbered in each thread
  std::optional<std::uint32_t> guard;   ///< the statement is executed only if this register is not 0
};

/// Returns, for each thread, the details of all its statements.
std::vector<std::vector<ActDetail>> details_of(const Skeleton& skeleton);

}  // namespace ambit::synthesis
