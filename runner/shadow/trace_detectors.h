#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "detector/detector.h"
#include "runner/shadow/program_detector.h"
#include "runner/shadow/trace_events.h"

namespace ambit::shadow {

/// Detectors of detector/ on the launches of a program: each launch is a trace of its own, because the end of a kernel
/// orders everything. Events are built from numbers, and locks and flags inferred once for all detectors.
class TraceDetectors : public virtual_gpu::Observer {
 public:
  struct Choice {
    std::string name;
    detector::GivenOptions options;
    std::uint32_t number = 0;  ///< handed to the sink
  };
  /// The choices were checked (detector::check_options). `sink` must outlive this.
  TraceDetectors(std::vector<Choice> choices, RaceSink& sink) : choices_(std::move(choices)), sink_(sink) {}

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
  void show(const TraceEvent& event);
  void report(const std::vector<RaceReport>& races, std::uint32_t number);

  std::vector<Choice> choices_;
  RaceSink& sink_;
  TraceEvents events_;
  std::optional<detector::SyncInference> inference_;
  std::vector<std::unique_ptr<detector::Detector>> detectors_;
  bool infers_ = true;
  std::uint64_t number_ = 0;  ///< of the next event
};

}  // namespace ambit::shadow
