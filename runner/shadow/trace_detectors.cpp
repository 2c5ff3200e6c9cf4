#include "runner/shadow/trace_detectors.h"

#include <algorithm>
#include <exception>

#include "detector/algorithms/registry.h"
#include "runner/shadow/race_numbers.h"

namespace ambit::shadow {

using detector::SyncInference;

namespace {

/// Launches with more threads use compressed clocks. Smaller launches use plain clocks, which have a component for each
/// thread.
constexpr std::uint64_t kMostPlainThreads = 256;

}  // namespace

void TraceDetectors::begin_launch(const virtual_gpu::LaunchInfo& info) {
  events_.begin_launch(info);
  groups_.clear();
  for (const Choice& choice : choices_) {
    detector::GivenOptions options = choice.options;
    const auto& known = detector::find_detector(choice.name)->options;
    const auto has_option = [&](const char* name) {
      return std::ranges::find(known, name, &detector::DetectorOption::name) != known.end();
    };
    if (has_option("clocks") && info.grid.count() * info.block.count() > kMostPlainThreads)
      options.emplace("clocks", "compressed");
    if (has_option("rules")) options.emplace("rules", "ptx");
    if (has_option("polling")) options.emplace("polling", "no");
    auto made = detector::make_detector(choice.name, options, events_.tables());
    add(choice, std::move(made.value()));
  }
  for (Group& group : groups_) {
    const bool needs_all = std::ranges::any_of(
        group.detectors, [](const Made& one) { return one.detector->depth() == SyncInference::Depth::All; });
    group.inference.emplace(events_.tables(), needs_all ? SyncInference::Depth::All : SyncInference::Depth::Sections,
                            group.detectors.front().detector->rules());
  }
  number_ = 0;
}

/// Adds a detector. Detectors with the same rules share one inference.
void TraceDetectors::add(const Choice& choice, std::unique_ptr<detector::Detector> detector) {
  auto group = std::ranges::find_if(
      groups_, [&](const Group& known) { return known.detectors.front().detector->rules() == detector->rules(); });
  if (group == groups_.end()) {
    groups_.emplace_back();
    group = groups_.end() - 1;
  }
  group->infers = group->infers || detector->looks_at_actions();
  group->detectors.push_back({std::move(detector), &choice});
}

void TraceDetectors::take(const TraceEvent& event) {
  for (Group& group : groups_) {
    const std::span<const detector::Action> actions =
        group.infers ? group.inference->on(event) : std::span<const detector::Action>();
    const detector::Observation observation{event, number_, actions, *group.inference};
    for (const Made& one : group.detectors) one.detector->on(observation);
  }
  ++number_;
}

void TraceDetectors::end_launch() {
  for (Group& group : groups_) {
    const std::span<const detector::Action> rest =
        group.infers ? group.inference->finish() : std::span<const detector::Action>();
    for (const Made& one : group.detectors) {
      one.detector->finish(rest, *group.inference);
      report(one.detector->races(), one.choice->number);
      if (!one.detector->is_open()) continue;
      for (const std::string& remark : one.detector->remarks()) sink_.remark(one.choice->name + ": " + remark);
    }
  }
  groups_.clear();
}

void TraceDetectors::report(const std::vector<RaceReport>& races, std::uint32_t number) {
  report_races(races, number, sink_,
               {[this](std::uint32_t thread) { return events_.place_of(thread); },
                [this](std::uint32_t site) { return events_.site_of(site); },
                [this](std::uint32_t location) { return events_.address_of(location); }});
}

}  // namespace ambit::shadow
