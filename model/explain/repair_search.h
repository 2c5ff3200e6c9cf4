#pragma once

#include <functional>
#include <optional>

#include "core/context.h"
#include "model/explain/repair.h"

namespace ambit::explain {

/// Does a changed program no longer show what it should not? Nothing: that is not known.
using Mends = std::function<std::optional<bool>(const Repair&)>;

/// The candidates of least weight that are known to mend, without changes that can be left out; of candidates with
/// several changes the first one only.
FoundRepairs search_repairs(const CandidateRepairs& candidates, const Mends& mends, Context& context);

}  // namespace ambit::explain
