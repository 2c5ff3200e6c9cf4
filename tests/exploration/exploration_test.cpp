// Campaigns with a budget, from the worker process to the log, on a driver without a GPU (tests/support/fake_cuda.cpp).

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "api/hardware/crossval.h"
#include "runner/cuda/worker/exploration.h"
#include "tests/support/parsed.h"
#include "tests/support/slowdown.h"

namespace ambit::cuda {
namespace {

namespace fs = std::filesystem;

const std::vector<Value> kWeak = {1, 0};

std::string message_passing(const std::string& name) {
  return "CUDA " + name +
         "\n{ global int x = 0, y = 0; }\n"
         "P0 @ block 0 { store(x, 1, relaxed, device); store(y, 1, relaxed, device); }\n"
         "P1 @ block 1 { int r0 = load(y, relaxed, device); int r1 = load(x, relaxed, device); }\n"
         "exists (P1:r0 == 1 && P1:r1 == 0)\n";
}

class ExplorationTest : public testing::Test {
 protected:
  /// Opens the fake library, whose name is libcuda.so.1. A later dlopen() of libcuda.so.1 then returns the fake
  /// library.
  static void SetUpTestSuite() {
    ASSERT_NE(dlopen(AMBIT_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), nullptr) << dlerror();
    setenv("AMBIT_NVRTC", AMBIT_FAKE_CUDA, 1);
  }

  /// Runs one copy of message passing for each name, and searches for the weak outcome of each copy.
  void run(const std::vector<std::string>& names, double budget) {
    Exploration exploration;
    exploration.budget = budget;
    for (const std::string& name : names) {
      campaign_.tests.push_back(test::program_of(message_passing(name), "t.litmus"));
      exploration.tests.push_back({.shape = {}, .missing = {kWeak}});
    }
    ExplorationEvents events;
    events.on_trial = [&](std::size_t, std::size_t, double spent) { EXPECT_LT(spent, budget); };
    events.on_end = [&](std::size_t test, const TestEnd& end, double) {
      ++trials_[names[test]];
      ends_[names[test]] = end.kind;
      if (end.kind == TestEnd::Kind::Finished) {
        EXPECT_EQ(end.report.histogram.runs(), end.report.instances);
      }
      seen_[names[test]] += end.report.histogram.outcomes.contains(kWeak) ? 1 : 0;
    };
    const Result<bool> ran = run_exploration(campaign_, exploration, events, {});
    EXPECT_TRUE(ran.ok()) << render(ran.errors());
  }

  Campaign campaign_;
  std::map<std::string, int> trials_;
  std::map<std::string, int> seen_;
  std::map<std::string, TestEnd::Kind> ends_;
};

TEST_F(ExplorationTest, ItSpendsTheBudgetWhereAnOutcomeIsMissing) {
  run({"rare", "never"}, 2);
  EXPECT_EQ(trials_["rare"], 1);  // some parameters of the portfolio scatter the lanes
  EXPECT_EQ(seen_["rare"], 1);
  EXPECT_GT(trials_["never"], 3);
  EXPECT_EQ(seen_["never"], 0);
}

TEST_F(ExplorationTest, ItEndsWhenNothingIsMissing) {
  run({"rare", "rare too"}, 1000);
  EXPECT_EQ(trials_["rare"] + trials_["rare too"], 2);
}

TEST_F(ExplorationTest, AHangACrashAndAFaultEndTheirOwnTestOnly) {
  campaign_.timeout_seconds = 1;
  run({"hangs", "rare", "dies", "faults", "rare too", "never"}, 3);
  EXPECT_EQ(ends_["hangs"], TestEnd::Kind::Hang);
  EXPECT_EQ(ends_["dies"], TestEnd::Kind::Crash);
  EXPECT_EQ(ends_["faults"], TestEnd::Kind::Failed);
  for (const char* const name : {"hangs", "dies", "faults"}) EXPECT_EQ(trials_[name], 1) << name;
  EXPECT_EQ(seen_["rare"], 1);
  EXPECT_EQ(seen_["rare too"], 1);
  EXPECT_EQ(ends_["never"], TestEnd::Kind::Finished);
}

/// Runs message passing between two GPUs on the devices; returns how the run ended.
TestEnd run_on_two_gpus(const std::vector<std::uint32_t>& devices, const std::map<std::string, std::uint32_t>& fixed,
                        bool has_profile = false) {
  Campaign campaign;
  campaign.options.alternate = !has_profile;
  campaign.devices = devices;
  campaign.options.seconds = 0.05;
  campaign.options.fixed = fixed;
  set_fixed(campaign.options.stress, fixed);
  campaign.tests = {
      test::program_of("CUDA two\n{ global int x = 0, y = 0; }\n"
                       "P0 @ gpu 0 block 0 { store(x, 1, relaxed, system); store(y, 1, relaxed, system); }\n"
                       "P1 @ gpu 1 block 1 { int r0 = load(y, relaxed, system); int r1 = load(x, relaxed, system); }\n"
                       "exists (P1:r0 == 1 && P1:r1 == 0)\n",
                       "t.litmus")};
  TestEnd last;
  CampaignEvents events;
  events.on_end = [&](std::size_t, const TestEnd& end) { last = end; };
  EXPECT_TRUE(run_campaign(campaign, events, {}).ok());
  return last;
}

/// Sets an environment variable until the end of the scope.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

TEST_F(ExplorationTest, ATestOnTwoGpusRunsWithItsCellsInEachMemory) {
  const Environment devices("FAKE_CUDA_DEVICES", "2");
  const TestEnd end = run_on_two_gpus({}, {});
  ASSERT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
  EXPECT_EQ(end.report.histogram.runs(), end.report.instances);
  EXPECT_TRUE(end.report.notes.empty());
  EXPECT_EQ(end.report.current.cell_memory, static_cast<std::uint32_t>(CellMemory::InTurn));
  const TestEnd fixed = run_on_two_gpus({1, 0}, {{"cell_memory", 1}});
  ASSERT_EQ(fixed.kind, TestEnd::Kind::Finished) << fixed.message;
  EXPECT_EQ(fixed.report.current.cell_memory, static_cast<std::uint32_t>(CellMemory::LastGpu));
  // A user's profile chooses the memory.
  const TestEnd profile = run_on_two_gpus({}, {}, true);
  ASSERT_EQ(profile.kind, TestEnd::Kind::Finished) << profile.message;
  EXPECT_EQ(profile.report.current.cell_memory, static_cast<std::uint32_t>(CellMemory::FirstGpu));
}

TEST_F(ExplorationTest, OneDeviceRunsBothGpusOfATestWhenItIsNamedTwice) {
  const TestEnd end = run_on_two_gpus({0, 0}, {});
  ASSERT_EQ(end.kind, TestEnd::Kind::Finished) << end.message;
  EXPECT_GT(end.report.instances, 0U);
}

TEST_F(ExplorationTest, ReportsMissingRequirementsForSeveralGpus) {
  const TestEnd lonely = run_on_two_gpus({}, {});
  EXPECT_EQ(lonely.kind, TestEnd::Kind::Failed);
  EXPECT_THAT(lonely.message, testing::HasSubstr("the test uses 2 GPUs, but only one is available"));
  const Environment devices("FAKE_CUDA_DEVICES", "2");
  const Environment apart("FAKE_CUDA_APART", "1");
  const TestEnd end = run_on_two_gpus({}, {});
  EXPECT_EQ(end.kind, TestEnd::Kind::Failed);
  EXPECT_THAT(end.message, testing::HasSubstr("does not reach the memory of GPU"));
  EXPECT_EQ(run_on_two_gpus({0, 7}, {}).kind, TestEnd::Kind::Failed);
}

/// The time limit, in seconds, of a campaign over two tests.
constexpr double kBudget = 2 * test::kSlowdown;

/// Runs a campaign over two tests until `trials` trials have begun. If a log exists, continues from the log.
std::vector<report::CrossRow> crossval(const fs::path& folder, const std::vector<std::string>& tests, double budget,
                                       int trials) {
  api::CrossvalRequest request;
  for (const std::string& name : tests) {
    request.paths.push_back((folder / (name + ".litmus")).string());
    std::ofstream(request.paths.back()) << message_passing(name);
  }
  request.budget = budget;
  request.record = 0;
  request.detectors.names = "scord";
  request.hardware.use_cache = false;
  request.log = (folder / "log.jsonl").string();
  std::atomic<bool> interrupted = false;
  api::CrossvalEvents events;
  events.on_progress = [&](std::size_t, std::size_t, const std::string& test) {
    if (trials == 0) ADD_FAILURE() << "a finished campaign runs " << test;
    interrupted = trials-- == 1;
  };
  events.on_note = [](const std::string& text) { ADD_FAILURE() << text; };
  api::Crossval campaign(request, events, interrupted);
  EXPECT_EQ(campaign.run(), "");
  return campaign.rows();
}

TEST_F(ExplorationTest, AnInterruptedCampaignGoesOnWithTheRestOfItsBudget) {
  const fs::path folder = fs::path(testing::TempDir()) / "exploration";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::vector<std::string> names = {"never", "rare"};
  const auto first = crossval(folder, names, kBudget, 2);
  ASSERT_EQ(first.size(), 1U);  // the second test has not run
  EXPECT_EQ(first[0].test, "never");
  const auto whole = crossval(folder, names, kBudget, 1000000);
  ASSERT_EQ(whole.size(), 2U);
  EXPECT_GT(whole[0].runs, first[0].runs);
  EXPECT_GE(whole[0].spent_milliseconds, first[0].spent_milliseconds);
  EXPECT_EQ(whole[1].models.at(0).seen, 3U);  // all outcomes except "x without y", which the driver never shows
  // The campaign has no time left, so no test runs. The results from the log equal those of the second campaign,
  // although the log also contains a line from the first campaign.
  const auto parts = crossval(folder, names, kBudget, 0);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].runs, whole[0].runs);
  EXPECT_EQ(parts[1].runs, whole[1].runs);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ambit::cuda
