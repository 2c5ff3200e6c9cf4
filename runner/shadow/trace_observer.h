#pragma once

#include <cstdint>

#include "core/trace.h"
#include "runner/shadow/trace_events.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// Converts the virtual GPU's reports to events of a trace, one at a time. A derived class must call begin_launch() of
/// `events_` in its own begin_launch().
class TraceObserver : public virtual_gpu::Observer {
 public:
  bool wants_values() const override { return true; }
  void access(const virtual_gpu::WarpAccess& access) override;
  void fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
             Scope scope) override;
  void barrier(const virtual_gpu::BarrierArrival& arrival) override;
  void barrier_complete(std::uint32_t block, std::uint32_t barrier) override;
  void warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                    bool orders_memory) override;
  void block_end(std::uint32_t block) override;

 protected:
  /// Handles the next event of the launch.
  virtual void take(const TraceEvent& event) = 0;

  TraceEvents events_;
};

}  // namespace ambit::shadow
