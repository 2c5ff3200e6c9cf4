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

void TraceDetectors::take(const TraceEvent& event) {
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

}  // namespace ambit::shadow
