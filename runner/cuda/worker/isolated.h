#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "core/program.h"
#include "runner/cuda/launch/driver.h"
#include "runner/cuda/stress/run_report.h"

namespace ambit::cuda {

/// The result of one test of a campaign.
struct TestEnd {
  enum class Kind : std::uint8_t {
    Finished,
    Failed,       ///< the test cannot be run, or the driver reported an error; see `message`
    Hang,         ///< the worker sent no message for `timeout_seconds`, and was killed
    Crash,        ///< the worker process died
    Interrupted,  ///< the user ended the campaign during the test
  } kind = Kind::Finished;
  std::string message;
  RunReport report;  ///< the results so far; after a hang, `current` has the parameters of the launch
};

struct Campaign {
  std::vector<std::shared_ptr<const Program>> tests;
  RunOptions options;
  std::vector<std::uint32_t> devices;  ///< GPUs that Runner::open() receives
  std::string cache_folder;
  double timeout_seconds = 10;       ///< the worker is killed if it sends no message for this time
  bool checks_machine_code = false;  ///< the machine code of every kernel is checked before it runs
};

struct CampaignEvents {
  std::function<void(const DeviceInfo&)> on_device;
  std::function<void(std::size_t test, const RunReport&)> on_progress;  ///< called a few times a second
  std::function<void(std::size_t test, const TestEnd&)> on_end;         ///< called in the order of the tests
};

/// Runs the tests one after the other in a worker process, which this process forks before it calls any CUDA function.
/// A process cannot stop its own kernel: even destroying the context waits for the kernel. However, the driver ends a
/// kernel when its process is killed. Therefore a worker that sends no message during the timeout is killed. The test
/// of a killed worker is reported as a hang, and the next test runs in a new worker with a new context. Returns an
/// error only if no worker can start: there is no driver or no device.
Result<bool> run_campaign(const Campaign& campaign, const CampaignEvents& events, const Context& context);

}  // namespace ambit::cuda
