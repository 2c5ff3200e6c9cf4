#include "runner/shadow/trace_observer.h"

namespace ambit::shadow {

void TraceObserver::access(const virtual_gpu::WarpAccess& access) {
  events_.access(access, [this](const TraceEvent& event) { take(event); });
}
void TraceObserver::fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
                          Scope scope) {
  events_.fence(site, block, warp, lanes, order, scope, [this](const TraceEvent& event) { take(event); });
}
void TraceObserver::barrier(const virtual_gpu::BarrierArrival& arrival) {
  events_.barrier(arrival, [this](const TraceEvent& event) { take(event); });
}
void TraceObserver::barrier_complete(std::uint32_t block, std::uint32_t barrier) {
  events_.barrier_complete(block, barrier, [this](const TraceEvent& event) { take(event); });
}
void TraceObserver::warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                                 bool orders_memory) {
  if (!orders_memory) return;
  events_.warp_barrier(site, block, warp, lanes, [this](const TraceEvent& event) { take(event); });
}
void TraceObserver::block_end(std::uint32_t block) {
  events_.block_end(block, [this](const TraceEvent& event) { take(event); });
}

}  // namespace ambit::shadow
