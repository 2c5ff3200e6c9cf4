#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit {

/// The number of complete runs over all schedules. For each detector, the number of runs with a reported race.
struct Counts {
  std::uint64_t runs = 0;
  std::map<std::string, std::uint64_t> found;
};

/// Runs a test of a suite in all schedules, in sequentially consistent memory. Replays each run to the detectors.
Counts count(const SourceFilePtr& source, const std::vector<std::string>& detectors);

/// Returns whether a detector of that name exists.
bool is_there(const std::string& name);

}  // namespace ambit
