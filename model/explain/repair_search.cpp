#include "model/explain/repair_search.h"

#include <utility>

namespace ambit::explain {
namespace {

class Search {
 public:
  Search(const Mends& mends, Context& context) : mends_(mends), context_(context) {}

  FoundRepairs search(const CandidateRepairs& candidates) {
    for (const Repair& candidate : candidates.repairs) {
      if (!found_.repairs.empty() && candidate.weight != found_.repairs.front().weight) break;
      if (found_.untried > 0 || is_time_over()) {
        ++found_.untried;
        continue;
      }
      if (!mends(candidate)) continue;
      found_.repairs.push_back(without_needless(candidate));
      if (found_.repairs.front().edits.size() > 1) break;
    }
    if (found_.repairs.empty() || found_.repairs.front().weight > candidates.weight_left_out) {
      found_.untried += candidates.left_out;
    }
    return std::move(found_);
  }

 private:
  static constexpr std::uint64_t kCandidate = 10000;  ///< the cost of trying a candidate, about a millisecond

  bool is_time_over() { return context_.should_stop(kCandidate).has_value(); }

  bool mends(const Repair& repair) {
    const Mended mended = mends_(repair);
    if (!mended.answer && found_.undecided++ == 0) found_.why_undecided = mended.why_not;
    return mended.answer.value_or(false);
  }

  Repair without_needless(Repair repair) {
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

  const Mends& mends_;
  Context& context_;
  FoundRepairs found_;
};

}  // namespace

FoundRepairs search_repairs(const CandidateRepairs& candidates, const Mends& mends, Context& context) {
  return Search(mends, context).search(candidates);
}

}  // namespace ambit::explain
