#include "api/check/detection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/check/detect_inputs.h"
#include "tests/support/files.h"
#include "tests/support/parsed.h"

namespace ambit::api {
namespace {

/// Block 0 writes a cell. Each other block reads the cell, all in the same source line. Nothing orders the accesses.
const char* const kReaders = R"(CUDA readers
{ global int x = 0; }
__global__ void kernel() {
  if (blockIdx.x == 0) {
    x = 1;
  } else {
    int r0 = x;
  }
}
launch kernel<<<3, 1>>>();
)";

report::DetectionResult detected(const char* detectors, const sim::Options& options) {
  const auto chosen = chosen_detectors({.names = detectors});
  EXPECT_TRUE(chosen.ok());
  const std::atomic<bool> interrupted = false;
  auto result = detect_in_runs(test::program_of(kReaders), "readers", chosen.value(), options, interrupted);
  EXPECT_TRUE(result.ok());
  return std::move(result).value();
}

sim::Options every_schedule() {
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::Exhaustive;
  return options;
}

// If one block reads before the write and another block reads after the write, the run has two reports for the same
// pair of places. The pair must still count the run only once.
TEST(DetectionInRuns, APairOfPlacesCountsEachRunOnce) {
  const report::DetectionResult result = detected("barracuda", every_schedule());
  const report::DetectorFindings& found = result.detectors.front();
  ASSERT_GE(result.runs, 4U) << "each of the two reads comes before or after the write";
  EXPECT_EQ(found.racy_runs, result.runs);
  ASSERT_EQ(found.pairs.size(), 1U);
  EXPECT_EQ(found.pairs.front().races.size(), found.races.size());
  EXPECT_EQ(found.pairs.front().runs, result.runs);
  std::uint64_t sum = 0;
  for (const std::uint64_t runs : found.runs) sum += runs;
  EXPECT_GT(sum, result.runs);
  EXPECT_EQ(report::count_thread_pairs(found.races), 2U);
}

TEST(DetectionInRuns, CompleteSampleDoesNotProveRaceFreedom) {
  sim::Options options = every_schedule();
  options.schedule = sim::ScheduleKind::Random;
  options.runs = 5;
  const report::DetectionResult result = detected("boyer", options);  // boyer considers only shared memory
  EXPECT_EQ(result.runs, 5U);
  EXPECT_TRUE(result.incomplete.empty());
  EXPECT_EQ(verdict_of(result, true), RaceVerdict::None);
}

TEST(DetectionInRuns, ASearchThatIsCutLeavesTheAnswerOpen) {
  sim::Options options = every_schedule();
  options.max_runs = 1;
  const report::DetectionResult cut = detected("boyer", options);
  EXPECT_FALSE(cut.incomplete.empty());
  EXPECT_EQ(verdict_of(cut, true), RaceVerdict::Unknown);
  const report::DetectionResult found = detected("barracuda", options);
  EXPECT_EQ(verdict_of(found, true), RaceVerdict::Found) << "one racy run is enough to prove a race";
}

// Every schedule of this kernel would take hours.
TEST(DetectInputs, TheTimeoutEndsASearchForAllSchedules) {
  DetectRequest request;
  request.paths = {(test::project() / "litmus/kernels/multistage_gemm.cu").string()};
  request.selection.names = "boyer";
  request.options = every_schedule();
  request.test_seconds = 0.3;
  std::vector<Detected> results;
  const DetectCallbacks callbacks = {
      .started = {},
      .detected = [&](const Detected& one, SourceLines&) { results.push_back(one); },
      .failed = [](const std::string&, const std::string& error) { ADD_FAILURE() << error; }};
  const std::atomic<bool> interrupted = false;
  const auto not_run = detect_inputs(request, callbacks, interrupted);
  ASSERT_TRUE(not_run.ok());
  EXPECT_EQ(not_run.value(), 0U);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results.front().verdict, RaceVerdict::Unknown);
  EXPECT_NE(results.front().result.incomplete.find("stopped at --timeout"), std::string::npos);
}

}  // namespace
}  // namespace ambit::api
