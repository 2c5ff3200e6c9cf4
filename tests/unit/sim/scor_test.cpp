#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "parser/parse.h"
#include "runner/sim/simulate.h"
#include "tests/support/golden.h"
#include "tests/support/parsed.h"
#include "trace/trace_checker.h"

/// Runs the tests of the ScoR suite in all distinct schedules.
namespace ambit::sim {
namespace {

class ScorSuite : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ScorSuite, EveryScheduleEndsAndLeavesAConsistentTrace) {
  const auto program = test::program_in(GetParam());
  Options options{.memory = MemoryKind::Sc, .schedule = ScheduleKind::Exhaustive};
  Context context;
  std::set<std::vector<std::string>> schedules;
  const auto result = simulate(program, options, context, [&](const sim::Run& run) {
    EXPECT_EQ(run.end, RunEnd::Complete) << "run " << run.number;
    EXPECT_TRUE(schedules.insert(run.schedule).second) << "run " << run.number << " occurs twice";
    trace::TraceChecker checker;
    for (const TraceEvent& event : run.trace.events) {
      EXPECT_EQ(checker.check(event, run.trace.tables), std::nullopt);
    }
    return true;
  });
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.value().is_exhaustive) << result.value().why_not;
  EXPECT_EQ(result.value().histogram.complete(), schedules.size());
}

INSTANTIATE_TEST_SUITE_P(Files, ScorSuite, testing::ValuesIn(test::files_in(test::project() / "litmus/scor")),
                         [](const auto& info) { return test::case_name(info.param.stem().string()); });

}  // namespace
}  // namespace ambit::sim
