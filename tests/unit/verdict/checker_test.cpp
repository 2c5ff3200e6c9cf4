#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "model/verdict/bound.h"
#include "model/verdict/judgement.h"
#include "model/verdict/races.h"
#include "model/verdict/verdict.h"
#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

using events::Possibility;

const char* const kMessagePassing = R"(CUDA mp
{ global int x = 0, flag = 0; }
P0 @ block 0 { x = 1; __threadfence(); atomicExch(&flag, 1); }
P1 @ block 1 { int r0 = atomicAdd(&flag, 0); int r1 = x; }
exists (P1:r0 == 1 && P1:r1 == 0)
)";

/// The loop reads its number of rounds from memory, and then runs five times.
const char* const kLoop = R"(CUDA loop
{ global int n = 5, x = 0; }
P0 @ block 0 { int rounds = n; for (int i = 0; i < rounds; i++) x += 1; }
P1 @ block 1 { int r0 = x; }
forall (x == 5)
)";

/// In the seventh round, the assertion fails and P1 waits alone at the barrier. Both values of x and the race are
/// possible in the first round. The counter has constant values, so a graph of fewer rounds contains no assertion.
const char* const kSixRounds = R"(CUDA rounds
{ global int x = 0; }
P0 @ block 0 {
  int i = 0;
  while (i < 6) { if (x == 0) break; i = i + 1; }
  if (i == 6) { assert(0 == 1); } else { __barrier(1, 2); }
}
P1 @ block 0 { x = 1; __barrier(1, 2); }
P2 @ block 1 { int c = x; }
exists (P2:c == 1)
)";

class CheckerTest : public testing::TestWithParam<Engine> {
 protected:
  Verdict check(const std::string& text, const std::string& model_name, unsigned unroll = 3,
                const events::Questions& questions = {}) {
    CheckOptions options;
    options.engine = GetParam();
    options.unroll = unroll;
    options.questions = questions;
    auto verdict = checker_.check(test::program_of(text), test::shipped_model(model_name), options, context_);
    EXPECT_TRUE(verdict.ok()) << render(verdict.errors());
    return std::move(verdict).value();
  }

  Checker checker_;
  Context context_;
};

TEST_P(CheckerTest, MessagePassingWithoutAnAcquireFence) {
  // sc forbids the stale read. ptx allows the stale read and reports a race on x, because no operation acquires.
  const Verdict sc = check(kMessagePassing, "sc");
  EXPECT_EQ(sc.frequency, Frequency::Never);
  EXPECT_EQ(sc.condition_holds, false);
  const Verdict ptx = check(kMessagePassing, "ptx");
  EXPECT_EQ(ptx.frequency, Frequency::Sometimes);
  EXPECT_EQ(ptx.condition_holds, true);
  EXPECT_EQ(ptx.race, Possibility::Possible);
  EXPECT_EQ(race_locations(ptx), std::vector<std::string>{"x"});
  EXPECT_FALSE(ptx.unknown.has_value());
}

TEST_P(CheckerTest, ReachableBoundIsUnknownUnlessAWitnessDecides) {
  const Verdict two = check(kLoop, "sc", 2);
  EXPECT_FALSE(two.frequency.has_value());
  EXPECT_FALSE(two.condition_holds.has_value());
  EXPECT_EQ(two.unknown, UnknownReason::Bound);
  const Verdict six = check(kLoop, "sc", 6);
  EXPECT_EQ(six.frequency, Frequency::Always);
  EXPECT_FALSE(six.unknown.has_value());
}

TEST_P(CheckerTest, TheBoundGrowsUntilTheAnswerIsComplete) {
  CheckOptions options;
  options.engine = GetParam();
  options.unroll = 2;
  options.deepen = true;
  const auto deep = checker_.check(test::program_of(kLoop), test::shipped_model("sc"), options, context_);
  ASSERT_TRUE(deep.ok());
  EXPECT_EQ(deep.value().frequency, Frequency::Always);
  EXPECT_FALSE(deep.value().unknown.has_value());
  EXPECT_EQ(deep.value().graph->options.unroll, 8U);
}

// No round can leave the loop, so the loop is endless. The checker unrolls it only up to the bound, and does not raise
// the bound, because a higher bound does not help.
TEST_P(CheckerTest, ALoopWithoutAnExitIsNotFollowed) {
  for (const char* loop : {"for (;;) { x = x + 1; }", "while (1) { x = x + 1; }", "do { x = x + 1; } while (true);"}) {
    const std::string text = fmt::format(
        "CUDA endless\n{{ global int x; }}\nP0 @ block 0 {{ {} }}\n"
        "P1 @ block 1 {{ x = 1; }}\nexists (x == 5)\n",
        loop);
    CheckOptions options;
    options.engine = GetParam();
    options.deepen = true;
    const auto found = checker_.check(test::program_of(text), test::shipped_model("ptx"), options, context_);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found.value().unknown, UnknownReason::Endless) << loop;
    EXPECT_EQ(found.value().unknown_detail, "the loop that ends in line 3 has no exit");
    EXPECT_EQ(found.value().graph->options.unroll, 3U);
    EXPECT_FALSE(found.value().frequency.has_value());
  }
}

// If the counter of a loop has constant values, the loop has an exit, even after more rounds than the bound.
TEST_P(CheckerTest, ALongCountedLoopIsFollowedToItsEnd) {
  const Verdict found = check(
      "CUDA counted\n{ global int x; }\nP0 @ block 0 { for (int i = 0; i < 100; ++i) x = i; }\n"
      "forall (x == 99)\n",
      "sc", 3);
  EXPECT_EQ(found.condition_holds, true);
  EXPECT_FALSE(found.unknown.has_value());
}

TEST_P(CheckerTest, RaceBeyondTheBoundIsNotDenied) {
  const Verdict two = check(kLoop, "hrf-indirect", 2);
  EXPECT_NE(two.race, Possibility::Impossible);
  EXPECT_EQ(check(kLoop, "hrf-indirect", 6).race, Possibility::Possible);
}

TEST_P(CheckerTest, IncidentsBeyondTheBoundAreNotDenied) {
  using Kind = events::Incident::Kind;
  const Verdict three = check(kSixRounds, "ptx", 3);
  EXPECT_EQ(three.frequency, Frequency::Sometimes);
  EXPECT_EQ(three.race, Possibility::Possible);
  EXPECT_EQ(incident_possibility(three, Kind::BarrierDivergence), Possibility::Unknown);
  EXPECT_EQ(incident_possibility(three, Kind::AssertionFailed), Possibility::Unknown);
  EXPECT_EQ(incident_possibility(three, Kind::OutOfBounds), Possibility::Impossible);  // x is not an array
  EXPECT_EQ(three.unknown, UnknownReason::Bound);
  const Verdict eight = check(kSixRounds, "ptx", 8);
  EXPECT_EQ(incident_possibility(eight, Kind::BarrierDivergence), Possibility::Possible);
  EXPECT_EQ(incident_possibility(eight, Kind::AssertionFailed), Possibility::Possible);
  EXPECT_FALSE(eight.unknown.has_value());
}

// A test can meet an expectation although other results are unknown.
TEST_P(CheckerTest, ExpectationsMetWithinTheBoundAreMet) {
  const auto status = [&](const std::string& expectation) {
    return judge(check(kSixRounds + expectation, "ptx", 3)).status;
  };
  EXPECT_EQ(status("expect ptx : Sometimes, race on x\n"), Status::Ok);
  EXPECT_EQ(status("expect ptx : Sometimes, race, nodivergence\n"), Status::Unknown);
  EXPECT_EQ(status("expect ptx : Sometimes, race, divergence\n"), Status::Unknown);
  EXPECT_EQ(status(""), Status::Unknown);
}

// The loop can exceed the bound, but the program has no assertions and no barriers, so no answer is unknown.
TEST_P(CheckerTest, ReachableBoundAloneLeavesNothingOpen) {
  const Verdict verdict = check(R"(CUDA rounds
{ global int x = 0; }
P0 @ block 0 { int i = 0; while (i < 6) { if (x == 0) break; i = i + 1; } }
P1 @ block 1 { x = 1; }
P2 @ block 2 { int c = x; }
exists (P2:c == 1)
)",
                                "ptx", 3);
  EXPECT_EQ(verdict.frequency, Frequency::Sometimes);
  EXPECT_FALSE(verdict.unknown.has_value());
}

// The flag is raised only by writes after the sixth round of the loop. The bound is three rounds.
TEST_P(CheckerTest, FlagsBeyondTheBoundAreNotDenied) {
  const auto model = test::model_of(R"("a model"
acyclic po | rf | co | fr as line
flag ~empty [W]; po; [W] as two-writes
)");
  const auto program = test::program_of(R"(CUDA rounds
{ global int x = 0, y = 0; }
P0 @ block 0 { int i = 0; while (i < 6) { if (x == 0) break; i = i + 1; } if (i == 6) { y = 1; y = 2; } }
P1 @ block 1 { x = 1; }
P2 @ block 2 { int c = x; }
exists (P2:c == 1)
)");
  for (const unsigned unroll : {3U, 8U}) {
    CheckOptions options;
    options.engine = GetParam();
    options.unroll = unroll;
    const Verdict verdict = checker_.check(program, model, options, context_).value();
    ASSERT_EQ(verdict.answers.flags.size(), 1U);
    EXPECT_EQ(verdict.answers.flags[0].possibility, unroll == 3 ? Possibility::Unknown : Possibility::Possible);
    EXPECT_EQ(verdict.unknown.has_value(), unroll == 3);
  }
}

TEST_P(CheckerTest, OutcomesAloneAnswerTheCondition) {
  events::Questions questions{.proposition = false, .flags = false, .incidents = false, .outcomes = true};
  const Verdict sc = check(kMessagePassing, "sc", 3, questions);
  EXPECT_EQ(sc.answers.outcomes, (std::vector<events::Outcome>{{0, 0}, {0, 1}, {1, 1}}));
  EXPECT_EQ(sc.frequency, Frequency::Never);
  const Verdict ptx = check(kMessagePassing, "ptx", 3, questions);
  EXPECT_EQ(ptx.answers.outcomes.size(), 4U);
  EXPECT_EQ(ptx.frequency, Frequency::Sometimes);
}

TEST_P(CheckerTest, BothEnginesCountExecutions) {
  events::Questions questions;
  questions.count = true;
  // Two threads write and no thread reads, so there is one execution for each coherence order.
  const Verdict verdict = check(R"(CUDA two
{ global int x = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); }
P1 @ block 1 { store(x, 2, relaxed, device); }
exists (x == 1)
)",
                                "sc", 3, questions);
  EXPECT_EQ(verdict.answers.executions, 2U);
  EXPECT_EQ(verdict.frequency, Frequency::Sometimes);
}

TEST_P(CheckerTest, CancelledRunsAreUnknown) {
  const std::atomic<bool> cancelled{true};
  context_.set_cancellation(&cancelled);
  const Verdict verdict = check(kMessagePassing, "ptx");
  EXPECT_EQ(verdict.unknown, UnknownReason::Interrupted);
  EXPECT_FALSE(verdict.frequency == Frequency::Never);
  EXPECT_NE(verdict.race, Possibility::Impossible);
}

INSTANTIATE_TEST_SUITE_P(Engines, CheckerTest, testing::Values(Engine::Auto, Engine::Smt, Engine::Explicit),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace ambit::verdict
