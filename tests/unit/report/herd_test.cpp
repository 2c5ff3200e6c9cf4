#include "report/logs/herd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "report/logs/outcome_log.h"
#include "report/logs/test_hash.h"
#include "tests/support/parsed.h"

namespace ambit::report {
namespace {

using test::program_of;
using testing::HasSubstr;

struct Logged {
  TestResult test;
  ModelResult result;
};

Logged herd_log_of(const std::string& text, const std::string& model = "ptx", unsigned unroll = 3) {
  Logged logged;
  logged.test.program = program_of(text);
  const auto rules = parser::load_model(model);
  EXPECT_TRUE(rules.ok()) << render(rules.errors());
  verdict::CheckOptions options;
  options.questions = {.outcomes = true};
  options.count_where_enumerated = true;
  options.unroll = unroll;
  Context context;
  verdict::Checker checker;
  auto verdict = checker.check(logged.test.program, rules.value(), options, context);
  EXPECT_TRUE(verdict.ok());
  logged.result.model = model;
  logged.result.verdict = std::move(verdict).value();
  return logged;
}

std::string written(const Logged& logged, double seconds = 0) {
  return herd_log(logged.test, logged.result, log_name(logged.test.name()), seconds);
}

const std::string kStoreBuffering = R"({ global int x = 0, y = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); __threadfence(); int r0 = load(y, relaxed, device); }
P1 @ block 1 { store(y, 1, relaxed, device); __threadfence(); int r1 = load(x, relaxed, device); }
)";

// sc allows three of the four outcomes. Each outcome has one execution, because the outcome determines from which write
// each load reads.
TEST(HerdLog, IsWhatHerdPrints) {
  const std::string log =
      written(herd_log_of("CUDA SB\n" + kStoreBuffering + "exists (P0:r0 == 0 && P1:r1 == 0)\n", "sc"));
  const std::string hash =
      test_hash(*program_of("CUDA SB\n" + kStoreBuffering + "exists (P0:r0 == 0 && P1:r1 == 0)\n"));
  EXPECT_EQ(log,
            "Test SB Allowed\n"
            "States 3\n"
            "0:r0=0; 1:r1=1;\n"
            "0:r0=1; 1:r1=0;\n"
            "0:r0=1; 1:r1=1;\n"
            "No\n"
            "Witnesses\n"
            "Positive: 0 Negative: 3\n"
            "Condition exists (0:r0=0 /\\ 1:r1=0)\n"
            "Observation SB Never 0 3\n"
            "Time SB 0.00\n"
            "Hash=" +
                hash + "\n\n");
}

// If the condition is ~exists, the numbers of positive and negative witnesses are swapped. The observation is not
// swapped, because it counts executions that satisfy the proposition.
TEST(HerdLog, ForbiddenTestsSwapTheirWitnesses) {
  const std::string log =
      written(herd_log_of("CUDA SB\n" + kStoreBuffering + "~exists (P0:r0 == 0 && P1:r1 == 0)\n", "sc"), 1.5);
  EXPECT_THAT(log, HasSubstr("Test SB Forbidden\n"));
  EXPECT_THAT(log, HasSubstr("Ok\nWitnesses\nPositive: 3 Negative: 0\n"));
  EXPECT_THAT(log, HasSubstr("Condition ~exists (0:r0=0 /\\ 1:r1=0)\nObservation SB Never 0 3\nTime SB 1.50\n"));
}

// Registers come before memory. Threads are in numeric order, so P10 is after P2. The name of a shared variable has a
// dot, because a colon marks registers.
TEST(HerdLog, StatesNameRegistersThenMemory) {
  const std::string log = written(herd_log_of(R"(CUDA names
{ global int y = 3, a[2]; shared int s; }
P10 @ block 0 { int r0 = y; s = 4; }
P2 @ block 1 { int r1 = y; }
forall (a[1] == 0 && y == 3 && b0:s == 4 && P10:r0 == 3 && (P2:r1 != 4 || P2:r1 < 2))
)"));
  EXPECT_THAT(log, HasSubstr("Test names Required\nStates 1\n2:r1=3; 10:r0=3; a[1]=0; [b0.s]=4; [y]=3;\nOk\n"));
  EXPECT_THAT(log, HasSubstr("Condition forall (a[1]=0 /\\ [y]=3 /\\ [b0.s]=4 /\\ 10:r0=3 /\\ "
                             "(not (2:r1=4) \\/ 2:r1<2))\n"));
}

TEST(HerdLog, RacesAndOtherFlagsAreListed) {
  const std::string log = written(
      herd_log_of("CUDA race\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { int r0 = x; }\nexists "
                  "(P1:r0 == 1)\n"));
  EXPECT_THAT(log, HasSubstr("Negative: 1\nFlag data-race\nCondition"));
}

TEST(HerdLog, ATestWithoutConditionHoldsAlways) {
  const std::string log = written(herd_log_of("CUDA none\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n"));
  EXPECT_THAT(log, HasSubstr("Test none Required\nStates 1\n[x]=1;\nOk\nWitnesses\nPositive: 1 Negative: 0\n"));
  EXPECT_THAT(log, HasSubstr("Condition forall (true)\nObservation none Always 1 0\n"));
}

TEST(HerdLog, AnUnknownAnswerHasNoStates) {
  const Logged logged = herd_log_of(
      "CUDA bound\n{ global int x = 0, n = 9; }\nP0 @ block 0 { int i = 0; while (i < n) { x = i; ++i; } }\nexists (x "
      "== 8)\n",
      "ptx", 2);
  EXPECT_FALSE(is_decided(logged.result));
  const std::string log = written(logged);
  EXPECT_THAT(log, testing::StartsWith("Undecided bound under ptx: Unknown (bound)"));
  EXPECT_EQ(log.find("Test"), std::string::npos);
  std::istringstream in(log);
  const Result<OutcomeLog> read = read_log(in, "log");
  ASSERT_TRUE(read.ok()) << render(read.errors());
  EXPECT_TRUE(read.value().tests.at("bound").is_undecided);
}

TEST(HerdLog, CanBeReadBack) {
  std::istringstream in(
      written(herd_log_of("CUDA SB\n" + kStoreBuffering + "exists (P0:r0 == 0 && P1:r1 == 1)\n", "sc")));
  const Result<OutcomeLog> log = read_log(in, "log");
  ASSERT_TRUE(log.ok()) << render(log.errors());
  EXPECT_EQ(log.value().tests.at("SB").states.size(), 3U);
  EXPECT_EQ(log.value().tests.at("SB").hash.size(), 32U);
}

TEST(TestHash, DoesNotDependOnLayoutNamesAndExpectations) {
  const std::string hash =
      test_hash(*program_of("CUDA a\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nexists (x == 1)\n"));
  EXPECT_EQ(hash.size(), 32U);
  const auto other = [](const std::string& text) { return test_hash(*program_of(text)); };
  EXPECT_EQ(hash, other("CUDA b \"text\"\nK=v\n{ global int x=0; } // comment\n P0 @ block 0 {\n x\n=1 ;}\n"
                        "~exists (x == 2) expect ptx : Never\n"));
  EXPECT_NE(hash, other("CUDA a\n{ global int x = 0; }\nP0 @ block 0 { x = 2; }\nexists (x == 1)\n"));
  EXPECT_NE(hash, other("CUDA a\n{ global int x = 1; }\nP0 @ block 0 { x = 1; }\nexists (x == 1)\n"));
  EXPECT_NE(hash, other("CUDA a\n{ global int x = 0; }\nP0 @ block 1 { x = 1; }\nexists (x == 1)\n"));
  EXPECT_NE(hash,
            other("CUDA a\n{ global int x = 0; }\nP0 @ block 0 { store(x, 1, relaxed, device); }\nexists (x == 1)\n"));
}

}  // namespace
}  // namespace ambit::report
