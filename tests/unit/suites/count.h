#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit {

/// How many complete runs there are over all schedules, and in how many each detector finds a race.
struct Counts {
  std::uint64_t runs = 0;
  std::map<std::string, std::uint64_t> found;
};

/// Runs a test of a suite in sequentially consistent memory, in all schedules, and shows each run to the detectors.
Counts count(const SourceFilePtr& source, const std::vector<std::string>& detectors);

/// There is a detector of that name.
bool is_there(const std::string& name);

}  // namespace ambit
