#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"
#include "report/results/detections.h"
#include "runner/cuda/worker/exploration.h"
#include "runner/cuda/worker/isolated.h"

namespace ambit::api {

/// How to run tests on a GPU (docs/lab/hardware.md).
struct HardwareOptions {
  cuda::RunOptions run;                ///< prepare_campaign() sets `stress`, `alternate`, `by_device` and `seed`
  std::vector<std::uint32_t> devices;  ///< GPUs to use; all if empty. A test for one GPU runs on the first
  double timeout_seconds = 10;
  /// File with stress parameters. If empty, Ambit uses the device's shipped profile or, if the device has no profile,
  /// the default parameters.
  std::string profile;
  std::string save_profile;  ///< file for tuned parameters; if empty, they are only printed
  /// This shard runs the tests whose 0-based number n satisfies n % shards == shard - 1. The tests are numbered in the
  /// order of their paths.
  std::uint32_t shard = 1;
  std::uint32_t shards = 1;
  bool use_cache = true;    ///< whether to use the cache of compiled kernels
  bool check_code = false;  ///< whether to check the machine code of every kernel

  /// Returns whether a test belongs to the shard. `number`: 0-based number among the tests of all shards.
  bool has_test(std::size_t number) const { return number % shards == shard - 1; }
};

/// Prepares a campaign, to which the caller adds the tests. Errors: the profile is unreadable or invalid.
Result<cuda::Campaign> prepare_campaign(const HardwareOptions& options, std::uint64_t seed);

/// Runs the campaign's tests in worker processes until all are finished or `interrupted` is set. Errors: there is no
/// driver or no device.
Result<bool> run_campaign(const cuda::Campaign& campaign, const cuda::CampaignEvents& events,
                          const std::atomic<bool>& interrupted);

/// Runs the campaign until its budget is used up (runner/cuda/worker/exploration.h) or `interrupted` is set. Errors:
/// there is no driver or no device.
Result<bool> run_exploration(const cuda::Campaign& campaign, cuda::Exploration exploration,
                             const cuda::ExplorationEvents& events, const std::atomic<bool>& interrupted);

/// Returns the command-line option that sets a stress parameter: "--block-threads".
std::string stress_option(const cuda::StressField& field);
/// Returns the options for all parameters that differ from the default: "--stride 64 --batch 8".
std::string stress_options(const cuda::Stress& stress);

/// Returns the reports of the detectors inside the kernel. Names threads, places and locations as in the test.
std::vector<report::Detections> in_gpu_findings(const Program& program, const cuda::RunReport& report);

}  // namespace ambit::api
