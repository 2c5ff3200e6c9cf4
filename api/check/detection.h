#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/detectors.h"
#include "base/context.h"
#include "core/program.h"
#include "core/trace.h"
#include "report/results/detection_result.h"
#include "runner/sim/ldetector.h"
#include "runner/sim/simulate.h"
#include "runner/sim/simulator_options.h"

namespace ambit::api {

/// Replays a trace to detectors. Records which detectors cannot judge a trace. Errors: the reader's errors.
Result<report::DetectionResult> detect_in_trace(TraceReader& reader, const std::string& name,
                                                const std::vector<ChosenDetector>& chosen);
/// Replays a file or, for "-", the standard input. `interrupted` stops the replay, and the result is then incomplete.
/// Errors: the errors of the reader; `interrupted` was set before the first event.
Result<report::DetectionResult> detect_in_file(const std::string& path, const std::vector<ChosenDetector>& chosen,
                                               const std::atomic<bool>& interrupted);

/// Runs a program on the simulator and replays every run to the detectors of traces. Detectors of programs run the
/// program themselves. Merges reports of the same pair of sites in several runs into one report. Ignores runs that a
/// filter rejects. `only_run`: the 0-based number of the only run that detectors process. Errors: the simulator cannot
/// run the program; the run does not exist.
Result<report::DetectionResult> detect_in_runs(const std::shared_ptr<const Program>& program, const std::string& name,
                                               const std::vector<ChosenDetector>& chosen, const sim::Options& options,
                                               const std::atomic<bool>& interrupted,
                                               std::optional<std::uint64_t> only_run = std::nullopt);

/// Runs a detector that processes programs. Returns an error if the detector cannot judge this program.
Result<sim::LDetectorResult> detect_in_program(const Program& program, const ChosenDetector& chosen, Context& context);

/// Returns why a program may race although its runs show no race; empty if the runs prove that there is no race.
std::string why_incomplete(const sim::Options& options, const sim::Simulation& simulation);

/// The common verdict of all detectors about an input.
enum class RaceVerdict : std::uint8_t { None, Found, Unknown };
/// Returns Found if any detector reports a race. Otherwise, returns Unknown if a detector gave up, if some schedules
/// did not run, or, with `each_must_judge`, if a detector cannot judge the input.
RaceVerdict verdict_of(const report::DetectionResult& result, bool each_must_judge);

}  // namespace ambit::api
