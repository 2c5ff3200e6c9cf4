/// Exports one of Ambit's detectors as a plugin, to test include/ambit/detector_plugin.h. The macro AMBIT_EXPORTED is
/// the name of the detector.
#include <ambit/detector_plugin.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "trace/binary_layout.h"

namespace {

using namespace ambit;

class Exported {
 public:
  Exported(const ambit_run& run, const ambit_host& host, const detector::GivenOptions& options)
      : run_(run), host_(host) {
    LaunchGeometry& launch = tables_.launch;
    for (std::size_t i = 0; i < launch.grid.size(); ++i) {
      launch.grid[i] = run.launch.grid[i];
      launch.block[i] = run.launch.block[i];
    }
    launch.warp = run.launch.warp;
    launch.cluster = run.launch.cluster;
    launch.gpus = run.launch.gpus;
    launch.only_named_threads = run.launch.only_named_threads != 0;
    detector_ = detector::make_detector(AMBIT_EXPORTED, options, tables_).value();
    inference_ = std::make_unique<detector::SyncInference>(tables_, detector_->depth());
  }

  void take(const ambit_event* events, std::size_t count) {
    add_names();
    TraceEvent event;
    for (std::size_t i = 0; i < count; ++i, ++number_) {
      trace::decode(reinterpret_cast<const std::byte*>(events + i), tables_, event);
      detector_->on({event, number_, inference_->on(event), *inference_});
    }
  }

  void finish() {
    detector_->finish(inference_->finish(), *inference_);
    for (const RaceReport& race : detector_->races()) report(race);
    for (const std::string& remark : detector_->remarks()) host_.remark(host_.context, remark.c_str());
    if (detector_->is_open()) host_.gave_up(host_.context, "see the remarks");
  }

 private:
  void add_names() {
    const ambit_names& names = *run_.names;
    for (std::size_t i = tables_.threads().size(); i < names.thread_count; ++i) {
      const ambit_thread& from = names.threads[i];
      tables_.add_thread(from.name, static_cast<int>(from.gpu), from.block, from.index);
    }
    for (std::size_t i = tables_.locations().size(); i < names.location_count; ++i) {
      const ambit_location& from = names.locations[i];
      const std::uint32_t added = tables_.location(from.name);
      if (from.initial == AMBIT_INITIAL_VALUE) tables_.set_initial_value(added, from.initial_value);
      if (from.initial == AMBIT_INITIAL_UNKNOWN) tables_.set_initial_value(added, std::nullopt);
    }
    for (std::size_t i = tables_.sites().size(); i < names.place_count; ++i) tables_.site(names.places[i]);
  }

  static ambit_side side_of(const RaceAccess& access) {
    return {access.event, access.thread, access.site, access.is_write ? 1U : 0U, access.is_atomic ? 1U : 0U};
  }

  void report(const RaceReport& from) {
    const std::string kind(to_string(from.kind));
    const ambit_race race = {side_of(from.first), side_of(from.second),  from.location,
                             kind.c_str(),        from.sentence.c_str(), from.count};
    host_.race(host_.context, &race);
  }

  const ambit_run& run_;
  const ambit_host& host_;
  TraceTables tables_;
  std::unique_ptr<detector::Detector> detector_;
  std::unique_ptr<detector::SyncInference> inference_;
  std::uint64_t number_ = 0;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const ambit_detector* ambit_detector_plugin(void) {
  static const ambit_detector kDetector = {
      AMBIT_DETECTOR_VERSION,
      sizeof(ambit_event),
      [](const ambit_run* run, const ambit_host* host, const ambit_option* options, std::size_t count) -> void* {
        detector::GivenOptions given;
        for (const ambit_option& one : std::span(options, count)) given[one.name] = one.value;
        return new Exported(*run, *host, given);
      },
      [](void* self, const ambit_event* events, std::size_t count) {
        static_cast<Exported*>(self)->take(events, count);
      },
      [](void* self) { static_cast<Exported*>(self)->finish(); },
      [](void* self) { delete static_cast<Exported*>(self); }};
  return &kDetector;
}
