#pragma once

#include <functional>
#include <optional>

#include "base/context.h"
#include "model/explain/repair.h"

namespace ambit::explain {

/// The answer to whether a changed program no longer has the error.
struct Mended {
  std::optional<bool> answer;                 ///< absent if the answer is unknown
  std::optional<UnknownReason> why_not = {};  ///< the reason for an unknown answer
};
using Mends = std::function<Mended(const Repair&)>;

/// Returns the candidates of least weight that remove the error and have no unnecessary change. If these candidates
/// consist of several changes, returns only the first candidate.
FoundRepairs search_repairs(const CandidateRepairs& candidates, const Mends& mends, Context& context);

}  // namespace ambit::explain
