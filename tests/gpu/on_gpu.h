#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runner/cuda/worker/isolated.h"
#include "tests/support/parsed.h"

namespace ambit::cuda {

inline std::shared_ptr<const Program> parse(const std::string& text) {
  return test::program_of("CUDA t\n" + text, "t.litmus");
}

/// Runs tests in a worker process, so that the test program itself never opens the CUDA driver.
class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    campaign_.options.seconds = 0.2;
    campaign_.options.seed = 1;
  }

  /// Runs the campaign. Returns false if there is no GPU; the caller then skips the test with `reason_`. Fails if there
  /// is a GPU but the campaign cannot run.
  bool run(CampaignEvents events = {}, const Context& context = {}) {
    events.on_end = [this](std::size_t, const TestEnd& end) { ends_.push_back(end); };
    const Result<bool> ran = run_campaign(campaign_, events, context);
    if (ran.ok()) return true;
    reason_ = render(ran.errors());
    if (std::filesystem::exists("/dev/nvidiactl")) ADD_FAILURE() << reason_;
    return false;
  }

  Campaign campaign_;
  std::vector<TestEnd> ends_;
  std::string reason_;
};

}  // namespace ambit::cuda
