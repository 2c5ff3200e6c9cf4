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
#include "runner/shadow/trace_observer.h"

namespace ambit::shadow {

/// Runs detectors of detector/ on the launches of a program. Each launch is a separate trace, because the end of a
/// kernel is ordered before the next launch. Events contain numbers instead of names. Detectors with the same rules
/// share one inference of locks and flags.
class TraceDetectors : public TraceObserver {
 public:
  struct Choice {
    std::string name;
    detector::GivenOptions options;
    std::uint32_t number = 0;  ///< identifies the detector in the sink
  };
  /// The choices must have passed detector::check_options. `sink` must outlive this object.
  TraceDetectors(std::vector<Choice> choices, RaceSink& sink) : choices_(std::move(choices)), sink_(sink) {}

  void begin_launch(const virtual_gpu::LaunchInfo& info) override;
  void end_launch() override;

 private:
  void take(const TraceEvent& event) override;
  void report(const std::vector<RaceReport>& races, std::uint32_t number);

  struct Made {
    std::unique_ptr<detector::Detector> detector;
    const Choice* choice;
  };
  struct Group {
    std::vector<Made> detectors;
    std::optional<detector::SyncInference> inference;
    bool infers = false;  ///< some detector uses the inference's actions
  };
  void add(const Choice& choice, std::unique_ptr<detector::Detector> detector);

  std::vector<Choice> choices_;
  RaceSink& sink_;
  std::vector<Group> groups_;
  std::uint64_t number_ = 0;  ///< number of the next event
};

}  // namespace ambit::shadow
