#include "runner/cuda/emit/counted_barriers.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <variant>

namespace ambit::cuda {

bool CountedBarrier::may_mix_instances() const {
  return static_cast<Value>(uses.size()) > *counts.begin() ||
         std::ranges::any_of(without_wait, [&](std::size_t thread) { return uses.at(thread) > 1; });
}

bool CountedBarrier::may_leave_arrivals() const {
  return first_without_wait && std::ranges::any_of(counts, [&](Value count) {
           return count <= 0 || arrivals % static_cast<std::size_t>(count) != 0;
         });
}

std::vector<CountedBarrier> counted_barriers(const Program& program) {
  // The key consists of the GPU, the block, the barrier's number, and the value of the barrier's resource.
  std::map<std::tuple<int, int, std::uint32_t, Value>, CountedBarrier> found;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    for (std::size_t i = 0; i < thread.code.size(); ++i) {
      const auto* barrier = std::get_if<Barrier>(&thread.code[i].operation);
      if (barrier == nullptr || barrier->kind != BarrierKind::Block || !barrier->count) continue;
      const Value resource = barrier->resource ? barrier->resource->constant : 0;
      CountedBarrier& at = found[{thread.place.gpu, thread.place.block, barrier->id, resource}];
      ++at.uses[t];
      at.counts.insert(barrier->count->constant);
      ++at.arrivals;
      if (!barrier->arrive_only) continue;
      at.without_wait.insert(t);
      if (!at.first_without_wait) at.first_without_wait = {t, i};
    }
  }
  std::vector<CountedBarrier> barriers;
  for (auto& [key, barrier] : found) barriers.push_back(std::move(barrier));
  return barriers;
}

}  // namespace ambit::cuda
