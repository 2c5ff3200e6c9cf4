#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "api/check/file_checker.h"
#include "tests/support/files.h"

// Files give the same results whether they are checked concurrently or one after the other.
namespace ambit::api {
namespace {

using testing::Contains;
using testing::Each;

/// Returns, for each file and model, the reason why there is no answer.
std::vector<std::optional<UnknownReason>> reasons(const std::vector<std::string>& files, unsigned jobs,
                                                  const CheckingOptions& options) {
  parser::ModelStore store;
  const ExpectationAdder expectations{{}};
  const std::atomic<bool> interrupted = false;
  std::vector<std::optional<UnknownReason>> found;
  const CheckRequest request{
      .options = options, .expectations = expectations, .store = store, .interrupted = interrupted};
  const auto checked = [&](const report::TestResult& test) {
    EXPECT_EQ(test.error, "");
    for (const report::ModelResult& result : test.results) {
      if (result.verdict) found.push_back(result.verdict->unknown);
      if (result.termination) found.push_back(result.termination->unknown);
    }
  };
  check_files(files, jobs, request, {.checked = checked, .waiting = [](auto...) {}});
  return found;
}

TEST(FilesAtTheSameTime, AFileThatReachesTheMemoryLimitIsCheckedAgainAlone) {
  const std::string large = (test::project() / "litmus/async/cuda/pipeline.cu").string();
  const std::vector<std::string> files = {large, large, large};
  CheckingOptions options;
  EXPECT_THAT(reasons(files, 3, options), testing::AllOf(testing::SizeIs(6), Each(std::nullopt)));
  options.memory_bytes = 1 << 20;  // every process uses more memory
  const auto one_by_one = reasons(files, 1, options);
  EXPECT_THAT(one_by_one, Contains(UnknownReason::Memory));
  EXPECT_EQ(reasons(files, 3, options), one_by_one);
}

}  // namespace
}  // namespace ambit::api
