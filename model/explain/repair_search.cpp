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

std::vector<Repair> search_repairs(const std::vector<Repair>& candidates, const Mends& mends, Context& context) {
  std::vector<Repair> found;
  for (const Repair& candidate : candidates) {
    if (!found.empty() && candidate.weight != found.front().weight) break;
    if (context.should_stop()) break;
    if (!mends(candidate)) continue;
    found.push_back(without_needless(candidate, mends));
    if (found.front().edits.size() > 1) break;
  }
  return found;
}

}  // namespace ambit::explain
