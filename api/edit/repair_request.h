#pragma once

#include <cstddef>
#include <string>

#include "api/check/explanation.h"

namespace ambit::api {

/// The goal of a repair, and its costs.
struct RepairRequest {
  /// The test, the model and the goal. The goal concerns the outcome, the race or, with checking.only_termination,
  /// termination.
  ExplainRequest question = {};
  std::string costs = {};     ///< file with costs (repair::CostTable::read); if empty, the default costs
  std::size_t proposals = 1;  ///< number of proposals to find
};

}  // namespace ambit::api
