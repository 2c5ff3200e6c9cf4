#pragma once

#include <cstddef>
#include <string>

#include "api/check/explanation.h"

namespace ambit::api {

/// The goal of a repair, and its costs.
struct RepairRequest {
  /// The test, the model and the goal. The goal is the outcome, the race, or, with checking.only_termination,
  /// termination.
  ExplainRequest question = {};
  std::string costs = {};     ///< file of costs (repair::CostTable::read); if empty, the usual costs
  std::size_t proposals = 1;  ///< number of proposals to find
};

}  // namespace ambit::api
