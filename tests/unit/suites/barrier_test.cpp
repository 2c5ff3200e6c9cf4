#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "parser/parse.h"
#include "tests/support/files.h"
#include "tests/unit/suites/count.h"

namespace ambit {
namespace {

/// For a test of litmus/barrier, counts the runs in which each detector reports a race. Comments in the test's file
/// explain the counts.
Counts count_all(const std::string& name) {
  const std::vector<std::string> wanted{"barracuda", "gwcp", "scord", "iguard", "haccrg", "srg", "boyer", "predict"};
  std::vector<std::string> names;
  std::ranges::copy_if(wanted, std::back_inserter(names), is_there);
  return count(parser::read_source((test::project() / "litmus/barrier" / (name + ".litmus")).string()).value(), names);
}

class CorrectTwin : public ::testing::TestWithParam<std::string> {};

TEST_P(CorrectTwin, IsReportedByNoDetector) {
  // If data passes from block to block, scord requires volatile accesses to the data.
  const std::set<std::string> plain_between_blocks{"partial-sums", "histogram-lock"};
  const Counts counts = count_all(GetParam());
  EXPECT_GT(counts.runs, 0U);
  for (const auto& [name, found] : counts.found) {
    const bool is_expected = name == "scord" && plain_between_blocks.contains(GetParam());
    EXPECT_EQ(found, is_expected ? counts.runs : 0U) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(BarrierSuite, CorrectTwin,
                         ::testing::Values("scan", "jacobi", "em", "one-block-kernel", "address-computation",
                                           "exchange", "partial-sums", "histogram-lock", "histogram-atomic"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

class FaultyTwin : public ::testing::TestWithParam<std::string> {};

/// In no schedule are the accesses ordered. So every detector based on happens-before reports the race in every run.
/// scord checks only global memory.
TEST_P(FaultyTwin, IsReportedInEverySchedule) {
  const Counts counts = count_all(GetParam());
  EXPECT_GT(counts.runs, 0U);
  for (const char* name : {"barracuda", "gwcp", "predict"}) EXPECT_EQ(counts.found.at(name), counts.runs) << name;
}

INSTANTIATE_TEST_SUITE_P(BarrierSuite, FaultyTwin,
                         ::testing::Values("scan-without-first-barrier", "scan-without-second-barrier",
                                           "scan-without-third-barrier", "jacobi-without-barrier", "em-shared-sum",
                                           "one-block-kernel-two-blocks", "address-computation-off-by-one",
                                           "exchange-without-barrier", "exchange-dummy-access",
                                           "partial-sums-without-fence", "histogram-without-lock",
                                           "histogram-without-atomic"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace ambit
