#include "synthesis/skeleton_walk.h"

#include <array>

namespace ambit::synthesis {

std::vector<std::vector<ActDetail>> details_of(const Skeleton& skeleton) {
  constexpr int kAdded = 10;
  std::array<int, 256> written{};
  std::vector<std::vector<ActDetail>> details;
  for (const SkeletonThread& thread : skeleton.threads) {
    std::vector<ActDetail> of_thread;
    std::uint32_t registers = 0;
    for (const Act& act : thread.acts) {
      ActDetail detail;
      if (act.is_guarded && registers > 0) detail.guard = registers - 1;
      if (act.kind == Act::Kind::Write) detail.value = ++written[act.cell];
      if (act.kind == Act::Kind::Update) detail.value = kAdded;
      if (act.kind == Act::Kind::Read || act.kind == Act::Kind::Update) detail.target = registers++;
      of_thread.push_back(detail);
    }
    details.push_back(std::move(of_thread));
  }
  return details;
}

}  // namespace ambit::synthesis
