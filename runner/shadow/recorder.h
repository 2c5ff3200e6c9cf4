#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/trace.h"
#include "runner/shadow/trace_events.h"
#include "runner/virtual/device.h"

namespace ambit::shadow {

/// Writes each launch as a trace (docs/traces.md) for `ambit detect`: FILE for the first, FILE with ".2" before the
/// ending for the second, and so on.
class Recorder : public virtual_gpu::Observer {
 public:
  /// `say` is told why a file could not be written.
  Recorder(std::string file, const virtual_gpu::Device& device, std::function<void(const std::string&)> say);
  ~Recorder() override;

  bool wants_values() const override { return true; }
  void begin_launch(const virtual_gpu::LaunchInfo& info) override;
  void end_launch() override;
  void access(const virtual_gpu::WarpAccess& access) override;
  void fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
             Scope scope) override;
  void barrier(const virtual_gpu::BarrierArrival& arrival) override;
  void barrier_complete(std::uint32_t block, std::uint32_t barrier) override;
  void warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                    bool orders_memory) override;
  void block_end(std::uint32_t block) override;

 private:
  void take(const TraceEvent& event);
  void write();
  /// The number under which the file knows a thread, a location, a site.
  std::uint32_t named_thread(std::uint32_t thread);
  std::uint32_t named_location(std::uint32_t location);
  std::uint32_t named_site(std::uint32_t site);

  std::string file_;
  const virtual_gpu::Device& device_;
  std::function<void(const std::string&)> say_;
  TraceEvents events_;
  TraceTables tables_;  ///< with names that a reader knows
  std::vector<std::uint32_t> threads_;
  std::vector<std::uint32_t> locations_;
  std::vector<std::uint32_t> sites_;
  std::unique_ptr<TraceWriter> writer_;
  std::unique_ptr<std::ostream> stream_;
  std::vector<TraceEvent> waiting_;
  std::uint32_t launches_ = 0;
};

/// "tickets", "allocation 2" and the bytes from its beginning; nothing: no allocation is near.
std::optional<std::pair<std::string, std::uint64_t>> object_at(const virtual_gpu::Memory& memory,
                                                               std::uint64_t address);

}  // namespace ambit::shadow
