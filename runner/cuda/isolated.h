#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/context.h"
#include "core/program.h"
#include "runner/cuda/driver.h"
#include "runner/cuda/run_report.h"

namespace ambit::cuda {

/// The result of one test of a campaign.
struct TestEnd {
  enum class Kind : std::uint8_t {
    Finished,
    Failed,       ///< it cannot be run, or the driver reported an error: `message`
    Hang,         ///< no message for `timeout`: the launch was abandoned
    Crash,        ///< the worker process died
    Interrupted,  ///< the user ended the campaign during the test
  } kind = Kind::Finished;
  std::string message;
  RunReport report;  ///< all results, whatever the end; `current` holds a hang's parameters
};

struct Campaign {
  std::vector<std::shared_ptr<const Program>> tests;
  RunOptions options;
  std::vector<std::uint32_t> devices;  ///< as for Runner::open()
  std::string cache_folder;
  double timeout_seconds = 10;       ///< without any sign of life
  bool checks_machine_code = false;  ///< of every kernel, before it runs
};

struct CampaignEvents {
  std::function<void(const DeviceInfo&)> on_device;
  std::function<void(std::size_t test, const RunReport&)> on_progress;  ///< a few times a second
  std::function<void(std::size_t test, const TestEnd&)> on_end;         ///< in order of the tests
};

/// Runs the tests one after the other in a worker process, which is this process forked before any call of a CUDA
/// function. A kernel cannot be stopped from within its own process: even destroying the context waits for it. But the
/// driver ends it when the process is killed. So a worker without a sign of life for the timeout is killed, its test is
/// reported as a hang, and the next test runs in a new worker with a new context. Returns an error only if no worker
/// can start at all: no driver, no device.
Result<bool> run_campaign(const Campaign& campaign, const CampaignEvents& events, const Context& context);

}  // namespace ambit::cuda
