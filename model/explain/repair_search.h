#pragma once

#include <functional>
#include <optional>

#include "base/context.h"
#include "model/explain/repair.h"

namespace ambit::explain {

/// Returns whether a changed program no longer has the error; nothing if this is unknown.
using Mends = std::function<std::optional<bool>(const Repair&)>;

/// Returns the working candidates of least weight that have no unnecessary change. If these candidates consist of
/// several changes, returns only the first candidate.
FoundRepairs search_repairs(const CandidateRepairs& candidates, const Mends& mends, Context& context);

}  // namespace ambit::explain
