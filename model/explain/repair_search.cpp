#include "model/explain/repair_search.h"

#include <algorithm>
#include <utility>

namespace ambit::explain {
namespace {

Repair without_needless(Repair repair, const Mends& mends) {
  for (std::size_t i = 0; i < repair.edits.size() && repair.edits.size() > 1;) {
    Repair smaller = repair;
    smaller.edits.erase(smaller.edits.begin() + static_cast<std::ptrdiff_t>(i));
    if (mends(smaller)) {
      repair = std::move(smaller);
    } else {
      ++i;
    }
  }
  return repair;
}

}  // namespace

FoundRepairs search_repairs(const CandidateRepairs& candidates, const Mends& mends, Context& context) {
  FoundRepairs found;
  for (const Repair& candidate : candidates.repairs) {
    if (!found.repairs.empty() && candidate.weight != found.repairs.front().weight) break;
    if (found.untried > 0 || context.should_stop()) {
      ++found.untried;
      continue;
    }
    if (!mends(candidate)) continue;
    found.repairs.push_back(without_needless(candidate, mends));
    if (found.repairs.front().edits.size() > 1) break;
  }
  if (found.repairs.empty() || found.repairs.front().weight > candidates.weight_left_out) {
    found.untried += candidates.left_out;
  }
  return found;
}

}  // namespace ambit::explain
