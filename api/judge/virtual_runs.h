#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "api/judge/run_faults.h"
#include "report/results/judged.h"

namespace ambit::api {

/// The result of the runs of a launch on the virtual GPU.
struct VirtualRuns {
  std::uint64_t runs = 0;   ///< number of complete runs
  bool has_fault = false;   ///< whether a run found a fault, which `fault` describes
  report::Judged fault;     ///< verdict, reason, places, replay and coverage; the other members are not set
  std::string description;  ///< one sentence: the number of runs without a fault, or why the launch could not run
};

/// Runs a launch on the virtual GPU under race detectors, with random schedules, until the runs have cost about a
/// second (RunCount) or the time is over. Never fails: describes an error in `description`.
VirtualRuns run_virtually(const VirtualLaunch& launch, std::chrono::milliseconds time,
                          const std::atomic<bool>& interrupted);

}  // namespace ambit::api
