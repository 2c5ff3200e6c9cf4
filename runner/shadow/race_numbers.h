#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/race_report.h"
#include "runner/shadow/program_detector.h"

namespace ambit::shadow {

/// Converts numbers in a trace's tables to numbers in a launch.
struct NumbersOfLaunch {
  /// Returns the block of a thread, and the thread's number in the block.
  std::function<std::pair<std::uint32_t, std::uint32_t>(std::uint32_t thread)> place_of;
  std::function<std::uint32_t(std::uint32_t site)> site_of;
  std::function<std::pair<virtual_gpu::AccessSpace, std::uint64_t>(std::uint32_t location)> address_of;
};

/// Passes the races that a trace detector has found to the sink. `detector` identifies the detector in the sink.
void report_races(const std::vector<RaceReport>& races, std::uint32_t detector, RaceSink& sink,
                  const NumbersOfLaunch& numbers);
/// Returns the end of a report's sentence, which follows the descriptions of the two accesses.
std::string reason_of(const std::string& sentence);

}  // namespace ambit::shadow
