#pragma once

#include <functional>
#include <vector>

#include "core/context.h"
#include "model/explain/repair.h"

namespace ambit::explain {

/// Does a changed program no longer show what it should not?
using Mends = std::function<bool(const Repair&)>;

/// The candidates of least weight that mend, without changes that can be left out; of candidates with several changes
/// the first one only. Candidates are in order of weight. Empty: none does, or the limits were reached.
std::vector<Repair> search_repairs(const std::vector<Repair>& candidates, const Mends& mends, Context& context);

}  // namespace ambit::explain
