#include <algorithm>
#include <map>
#include <utility>

#include "model/termination/termination_question.h"

namespace ambit::termination {

std::vector<SchedulingUnit> scheduling_units(const Program& program) {
  std::map<std::pair<int, int>, SchedulingUnit> units;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const ThreadPlace& place = program.threads[t].place;
    const auto [found, is_new] = units.try_emplace({place.gpu, place.cluster});
    SchedulingUnit& unit = found->second;
    unit.gpu = place.gpu;
    unit.first_block = is_new ? place.block : std::min(unit.first_block, place.block);
    unit.threads.push_back(t);
  }
  std::vector<SchedulingUnit> result;
  for (auto& [key, unit] : units) result.push_back(std::move(unit));
  std::sort(result.begin(), result.end(), [](const SchedulingUnit& a, const SchedulingUnit& b) {
    return std::pair(a.gpu, a.first_block) < std::pair(b.gpu, b.first_block);
  });
  return result;
}

}  // namespace ambit::termination
