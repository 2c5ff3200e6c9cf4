#pragma once

#include <functional>
#include <optional>

#include "base/context.h"
#include "model/explain/repair.h"

namespace ambit::explain {

/// Returns whether a changed program no longer has the error; nothing if this is unknown.
using Mends = std::function<std::optional<bool>(const Repair&)>;

/// Returns the candidates of least weight that are known to work and have no superfluous change. If these have several
/// changes, returns only the first.
FoundRepairs search_repairs(const CandidateRepairs& candidates, const Mends& mends, Context& context);

}  // namespace ambit::explain
