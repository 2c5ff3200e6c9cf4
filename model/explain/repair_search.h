#pragma once

#include <functional>

#include "core/context.h"
#include "model/explain/repair.h"

namespace ambit::explain {

/// Does a changed program no longer show what it should not?
using Mends = std::function<bool(const Repair&)>;

/// The candidates of least weight that mend, without changes that can be left out; of candidates with several changes
/// the first one only.
FoundRepairs search_repairs(const CandidateRepairs& candidates, const Mends& mends, Context& context);

}  // namespace ambit::explain
