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
  const std::vector<Repair>& all = candidates.repairs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!found.repairs.empty() && all[i].weight != found.repairs.front().weight) break;
    if (context.should_stop()) {
      found.untried = all.size() - i;
      break;
    }
    if (!mends(all[i])) continue;
    found.repairs.push_back(without_needless(all[i], mends));
    if (found.repairs.front().edits.size() > 1) break;
  }
  if (found.repairs.empty() || found.repairs.front().weight > candidates.weight_left_out) {
    found.untried += candidates.left_out;
  }
  return found;
}

}  // namespace ambit::explain
