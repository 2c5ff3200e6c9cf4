#include "runner/shadow/trace_detectors.h"

#include <algorithm>
#include <exception>

#include "runner/shadow/race_numbers.h"

namespace ambit::shadow {
namespace {

/// Launches with more threads get compressed clocks: a plain one has a component for each thread.
constexpr std::uint64_t kMostPlainThreads = 256;

}  // namespace

void TraceDetectors::begin_launch(const virtual_gpu::LaunchInfo& info) {
  events_.begin_launch(info);
  detectors_.clear();
  bool needs_all = false;
  infers_ = false;
  for (const Choice& choice : choices_) {
    detector::GivenOptions options = choice.options;
    const auto& known = detector::find_detector(choice.name)->options;
    const bool has_clocks = std::ranges::find(known, "clocks", &detector::DetectorOption::name) != known.end();
    if (has_clocks && info.grid.count() * info.block.count() > kMostPlainThreads)
      options.emplace("clocks", "compressed");
    auto made = detector::make_detector(choice.name, options, events_.tables());
    detectors_.push_back(std::move(made.value()));
    needs_all = needs_all || detectors_.back()->depth() == detector::SyncInference::Depth::All;
    infers_ = infers_ || detectors_.back()->looks_at_actions();
  }
  using Depth = detector::SyncInference::Depth;
  inference_.emplace(events_.tables(), needs_all ? Depth::All : Depth::Sections);
  number_ = 0;
}

void TraceDetectors::show(const TraceEvent& event) {
  const std::span<const detector::Action> actions =
      infers_ ? inference_->on(event) : std::span<const detector::Action>();
  const detector::Observation observation{event, number_++, actions, *inference_};
  for (const auto& one : detectors_) one->on(observation);
}

void TraceDetectors::end_launch() {
  if (!inference_) return;
  const std::span<const detector::Action> rest = infers_ ? inference_->finish() : std::span<const detector::Action>();
  for (const auto& one : detectors_) one->finish(rest, *inference_);
  for (std::size_t i = 0; i < detectors_.size(); ++i) {
    report(detectors_[i]->races(), choices_[i].number);
    if (detectors_[i]->is_open()) {
      for (const std::string& remark : detectors_[i]->remarks()) sink_.remark(choices_[i].name + ": " + remark);
    }
  }
  detectors_.clear();
  inference_.reset();
}

void TraceDetectors::report(const std::vector<RaceReport>& races, std::uint32_t number) {
  report_races(races, number, sink_,
               {[this](std::uint32_t thread) { return events_.place_of(thread); },
                [this](std::uint32_t site) { return events_.site_of(site); },
                [this](std::uint32_t location) { return events_.address_of(location); }});
}

void TraceDetectors::access(const virtual_gpu::WarpAccess& access) {
  events_.access(access, [this](const TraceEvent& event) { show(event); });
}
void TraceDetectors::fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                           Order order, Scope scope) {
  events_.fence(site, block, warp, lanes, order, scope, [this](const TraceEvent& event) { show(event); });
}
void TraceDetectors::barrier(const virtual_gpu::BarrierArrival& arrival) {
  events_.barrier(arrival, [this](const TraceEvent& event) { show(event); });
}
void TraceDetectors::barrier_complete(std::uint32_t block, std::uint32_t barrier) {
  events_.barrier_complete(block, barrier, [this](const TraceEvent& event) { show(event); });
}
void TraceDetectors::warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                                  bool orders_memory) {
  if (!orders_memory) return;
  events_.warp_barrier(site, block, warp, lanes, [this](const TraceEvent& event) { show(event); });
}
void TraceDetectors::block_end(std::uint32_t block) {
  events_.block_end(block, [this](const TraceEvent& event) { show(event); });
}

}  // namespace ambit::shadow
