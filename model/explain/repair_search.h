#pragma once

#include <functional>
#include <optional>

#include "core/context.h"
#include "model/explain/repair.h"

namespace ambit::explain {

/// Returns whether a changed program is free of the error; nothing if that is unknown.
using Mends = std::function<std::optional<bool>(const Repair&)>;

/// Returns the candidates of least weight that are known to work and have no superfluous change; of candidates with
/// several changes only the first.
FoundRepairs search_repairs(const CandidateRepairs& candidates, const Mends& mends, Context& context);

}  // namespace ambit::explain
