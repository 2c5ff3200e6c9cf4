#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/race_report.h"
#include "runner/shadow/program_detector.h"

namespace ambit::shadow {

/// Resolves the numbers of a trace's tables in a launch.
struct NumbersOfLaunch {
  std::function<std::pair<std::uint32_t, std::uint32_t>(std::uint32_t thread)> place_of;  ///< block, number in it
  std::function<std::uint32_t(std::uint32_t site)> site_of;
  std::function<std::pair<virtual_gpu::AccessSpace, std::uint64_t>(std::uint32_t location)> address_of;
};

/// Passes the races that a detector of traces found to the sink. `detector`: its number there.
void report_races(const std::vector<RaceReport>& races, std::uint32_t detector, RaceSink& sink,
                  const NumbersOfLaunch& numbers);
/// Returns the sentence of a report after its two accesses.
std::string reason_of(const std::string& sentence);

}  // namespace ambit::shadow
