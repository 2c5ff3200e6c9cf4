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

/// What became of one test of a campaign.
struct TestEnd {
  enum class Kind : std::uint8_t {
    Finished,
    Failed,       ///< it cannot be run, or the driver reported an error: `message`
    Hang,         ///< nothing came back for `timeout`: the launch was abandoned
    Crash,        ///< the worker process died
    Interrupted,  ///< the user ended the campaign while it ran
  } kind = Kind::Finished;
  std::string message;
  RunReport report;  ///< all there was, whatever the end; `current` holds a hang's parameters
};

struct Campaign {
  std::vector<std::shared_ptr<const Program>> tests;
  RunOptions options;
  std::vector<std::uint32_t> devices;  ///< as Runner::open() takes them
  std::string cache_folder;
  double timeout_seconds = 10;       ///< without any sign of life
  bool checks_machine_code = false;  ///< of every kernel, before it is run
};

struct CampaignEvents {
  std::function<void(const DeviceInfo&)> on_device;
  std::function<void(std::size_t test, const RunReport&)> on_progress;  ///< a few times a second
  std::function<void(std::size_t test, const TestEnd&)> on_end;         ///< in order of the tests
};

/// Runs the tests one after the other in a worker process, which is this process forked before any CUDA function is
/// called. A kernel cannot be stopped from within its own process, whose context even waits for it when it is
/// destroyed; but the driver ends it when the process is killed. So a worker that gives no sign of life for the timeout
/// is killed, its test reported as a hang, and the next test goes on in a fresh worker with a fresh context. Returns an
/// error only if no worker can start at all: no driver, no device.
Result<bool> run_campaign(const Campaign& campaign, const CampaignEvents& events, const Context& context);

}  // namespace ambit::cuda
