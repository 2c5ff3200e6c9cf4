#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"
#include "report/results/detections.h"
#include "runner/cuda/exploration.h"
#include "runner/cuda/isolated.h"

namespace ambit::api {

/// How to run tests on a GPU (docs/hardware.md).
struct HardwareOptions {
  cuda::RunOptions run;                ///< `stress`, `alternate`, `by_device` and `seed` are set by prepare_campaign()
  std::vector<std::uint32_t> devices;  ///< the first for tests on one GPU; empty: all
  double timeout_seconds = 10;
  std::string profile;       ///< a file of stress parameters; empty: the shipped profile of the device, or the defaults
  std::string save_profile;  ///< the file for tuned parameters; empty: only reports them
  std::uint32_t shard = 1;   ///< of `shards`: tests number shard - 1, shard - 1 + shards ... in order of path
  std::uint32_t shards = 1;
  bool use_cache = true;    ///< of compiled kernels
  bool check_code = false;  ///< check the machine code of every kernel

  /// Returns whether a test belongs to the shard. `number`: among the tests of all shards, from 0.
  bool has_test(std::size_t number) const { return number % shards == shard - 1; }
};

/// Prepares a campaign without tests. Errors: the profile's.
Result<cuda::Campaign> prepare_campaign(const HardwareOptions& options, std::uint64_t seed);

/// Runs the campaign's tests in worker processes until all are finished or `interrupted` is set. Errors: no driver, no
/// device.
Result<bool> run_campaign(const cuda::Campaign& campaign, const cuda::CampaignEvents& events,
                          const std::atomic<bool>& interrupted);

/// Spends the campaign's budget (runner/cuda/exploration.h) until it is over or `interrupted` is set. Errors: no
/// driver, no device.
Result<bool> run_exploration(const cuda::Campaign& campaign, cuda::Exploration exploration,
                             const cuda::ExplorationEvents& events, const std::atomic<bool>& interrupted);

/// Returns the name of a stress parameter on the command line: "--block-threads".
std::string stress_option(const cuda::StressField& field);
/// Returns the parameters that differ from the default, as options: "--stride 64 --batch 8".
std::string stress_options(const cuda::Stress& stress);

/// Returns the reports of the detectors inside the kernel, with the test's names for threads, places and locations.
std::vector<report::Detections> in_gpu_findings(const Program& program, const cuda::RunReport& report);

}  // namespace ambit::api
