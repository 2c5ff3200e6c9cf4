#include "model/repair/change.h"

namespace ambit::repair {

int cost_of(const std::vector<Slot>& slots, const Levels& levels) {
  int cost = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) cost += slots[i].levels[levels[i]].cost;
  return cost;
}

std::vector<TextEdit> edits_of(const std::vector<Slot>& slots, const Levels& levels) {
  std::vector<TextEdit> edits;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Level& level = slots[i].levels[levels[i]];
    edits.insert(edits.end(), level.edits.begin(), level.edits.end());
  }
  return edits;
}

}  // namespace ambit::repair
