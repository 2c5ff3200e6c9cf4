#include <gtest/gtest.h>

#include <string>

#include "model/termination/termination.h"
#include "tests/support/parsed.h"

namespace ambit::termination {

using verdict::Checker;
using verdict::CheckOptions;
using verdict::Engine;
using verdict::Status;
namespace {

class TerminationTest : public testing::TestWithParam<Engine> {
 protected:
  TerminationVerdict check(const std::string& text, Scheduler scheduler, const std::string& model_name = "ptx",
                           unsigned unroll = 3) {
    CheckOptions options;
    options.engine = GetParam();
    options.unroll = unroll;
    auto verdict = check_termination(checker_, test::program_of(text), test::shipped_model(model_name), scheduler,
                                     options, context_);
    EXPECT_TRUE(verdict.ok()) << render(verdict.errors());
    return std::move(verdict).value();
  }

  Checker checker_;
  Context context_;
};

const char* const kConsumerBelow = R"(CUDA consumer-below
{ global int flag = 0; }
P0 @ block 0 { while (load(flag, acquire, device) != 1) {} }
P1 @ block 1 { store(flag, 1, release, device); }
)";

TEST_P(TerminationTest, NamesTheThreadTheCellAndTheRemedy) {
  const TerminationVerdict verdict = check(kConsumerBelow, Scheduler::Hsa);
  ASSERT_EQ(verdict.termination, Termination::DoesNotTerminate);
  ASSERT_EQ(verdict.waits.size(), 2U);
  const Wait& stuck = verdict.waits[0];
  EXPECT_EQ(stuck.kind, Wait::Kind::Loop);
  EXPECT_EQ(stuck.thread, 0U);
  EXPECT_EQ(stuck.span.line, 3U);
  ASSERT_EQ(stuck.polled.size(), 1U);
  EXPECT_EQ(verdict.program->locations[stuck.polled[0].location].name, "flag");
  EXPECT_EQ(stuck.polled[0].seen, 0);
  EXPECT_EQ(stuck.polled[0].awaited, std::vector<Value>{1});
  // Block 1 contains only the store. The scheduler suspends block 1 before the store.
  EXPECT_EQ(verdict.waits[1].kind, Wait::Kind::Suspended);
  EXPECT_EQ(verdict.waits[1].thread, 1U);
  EXPECT_TRUE(verdict.witness.has_value());
}

TEST_P(TerminationTest, ABlockThatNeverStarts) {
  EXPECT_EQ(check(kConsumerBelow, Scheduler::Fair).termination, Termination::Terminates);
  const TerminationVerdict verdict = check(kConsumerBelow, Scheduler::Lobe);
  ASSERT_EQ(verdict.termination, Termination::DoesNotTerminate);
  EXPECT_EQ(verdict.waits.back().kind, Wait::Kind::NeverStarted);
}

/// A scheduler with a stronger guarantee allows fewer executions. A program that is stuck under fair is stuck under
/// every scheduler. A program that is stuck under lobe is also stuck under obe and hsa.
TEST_P(TerminationTest, SchedulersAreOrderedByWhatTheyPromise) {
  const std::vector<std::string> programs = {
      kConsumerBelow,
      "CUDA a\n{ global int f = 0; }\nP0 @ block 1 { while (atomicAdd(&f, 0) == 0) {} }\nP1 @ block 0 { f = 1; }\n",
      "CUDA b\n{ global int f = 0; }\nP0 @ block 0 { while (atomicAdd(&f, 0) == 0) {} }\nP1 @ block 1 { int r = f; }\n",
      "CUDA c\n{ global int n = 0; }\n"
      "P0 @ block 0 { atomicAdd(&n, 1); while (load(n, relaxed, device) < 2) {} }\n"
      "P1 @ block 1 { atomicAdd(&n, 1); while (load(n, relaxed, device) < 2) {} }\n",
      "CUDA d\n{ global int l = 0; }\n"
      "P0 @ block 0 { while (atomicExch(&l, 1) != 0) {} atomicExch(&l, 0); }\n"
      "P1 @ block 1 { while (atomicExch(&l, 1) != 0) {} atomicExch(&l, 0); }\n"};
  for (const std::string& program : programs) {
    const auto is_stuck = [&](Scheduler s) { return check(program, s).termination == Termination::DoesNotTerminate; };
    const bool fair = is_stuck(Scheduler::Fair);
    const bool lobe = is_stuck(Scheduler::Lobe);
    EXPECT_LE(fair, lobe) << program;
    EXPECT_LE(lobe, is_stuck(Scheduler::Obe)) << program;
    EXPECT_LE(lobe, is_stuck(Scheduler::Hsa)) << program;
  }
}

TEST_P(TerminationTest, TwoReadsOfOneCellInARoundAreBothFinal) {
  // The loop repeats while its two reads return different values. In a fair execution, both reads finally return the
  // last value, so the loop ends.
  const char* const text = R"(CUDA differ
{ global int x = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); }
P1 @ block 1 { while (load(x, relaxed, device) != load(x, relaxed, device)) {} }
)";
  EXPECT_EQ(check(text, Scheduler::Fair).termination, Termination::Terminates);
}

TEST_P(TerminationTest, AnAddressThatIsReadInTheLoop) {
  const char* const text = R"(CUDA pointer
{ global int which = 0, flag[2]; }
P0 @ block 0 { store(which, 1, relaxed, device); store(flag[VALUE], 1, relaxed, device); }
P1 @ block 1 { while (load(flag[load(which, relaxed, device)], relaxed, device) == 0) {} }
)";
  const auto with = [&](const char* index) {
    return std::string(text).replace(std::string(text).find("VALUE"), 5, index);
  };
  // The last value of `which` is 1. So the loop finally polls flag[1], even if it has read another value before.
  EXPECT_EQ(check(with("1"), Scheduler::Fair).termination, Termination::Terminates);
  EXPECT_EQ(check(with("0"), Scheduler::Fair, "sc").termination, Termination::DoesNotTerminate);
}

TEST_P(TerminationTest, ALoopThatWritesIsUnknownUntilItIsUnrolledFarEnough) {
  const char* const text = R"(CUDA rounds
{ global int rounds = 4, x = 0; }
P0 @ block 0 { int n = load(rounds, relaxed, device); for (int i = 0; i < n; i++) atomicAdd(&x, 1); }
)";
  const TerminationVerdict unknown = check(text, Scheduler::Fair);
  EXPECT_EQ(unknown.termination, Termination::Unknown);
  EXPECT_EQ(unknown.unknown, UnknownReason::Bound);
  EXPECT_EQ(check(text, Scheduler::Fair, "ptx", 6).termination, Termination::Terminates);
}

TEST_P(TerminationTest, ABarrierNamesTheAbsentThreads) {
  const char* const text = R"(CUDA absent
{ global int x = 0; }
P0 @ block 0 { if (atomicAdd(&x, 0) == 1) return; __barrier(1, 2); }
P1 @ block 0 { atomicExch(&x, 1); __barrier(1, 2); }
)";
  const TerminationVerdict verdict = check(text, Scheduler::Fair);
  ASSERT_EQ(verdict.termination, Termination::DoesNotTerminate);
  ASSERT_EQ(verdict.waits.size(), 1U);
  EXPECT_EQ(verdict.waits[0].kind, Wait::Kind::Barrier);
  EXPECT_EQ(verdict.waits[0].thread, 1U);
  EXPECT_EQ(verdict.waits[0].absent, std::vector<std::uint32_t>{0});
}

TEST_P(TerminationTest, ABarrierWaitsForTheThreadsThatHaveNotExited) {
  const char* const text = R"(CUDA exits
{ global int x = 0; }
P0 @ block 0 { if (atomicAdd(&x, 0) == 1) return; __syncthreads(); }
P1 @ block 0 { atomicExch(&x, 1); __syncthreads(); }
)";
  EXPECT_EQ(check(text, Scheduler::Fair).termination, Termination::Terminates);
}

TEST_P(TerminationTest, AThreadInALoopHasNotExited) {
  const char* const text = R"(CUDA loops
{ global int flag = 0; }
P0 @ block 0 { __syncthreads(); atomicExch(&flag, 1); }
P1 @ block 0 { while (atomicAdd(&flag, 0) == 0) {} }
)";
  const TerminationVerdict verdict = check(text, Scheduler::Fair);
  ASSERT_EQ(verdict.termination, Termination::DoesNotTerminate);
  ASSERT_EQ(verdict.waits.size(), 2U);
  EXPECT_EQ(verdict.waits[0].absent, std::vector<std::uint32_t>{1});
}

TEST_P(TerminationTest, MemoryModelsDiffer) {
  // Message passing without order. ptx allows the stale read, and then the second loop never ends. sc forbids the stale
  // read.
  const char* const text = R"(CUDA stale
{ global int x = 0, flag = 0, never = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); store(flag, 1, relaxed, device); }
P1 @ block 1 {
  while (load(flag, relaxed, device) == 0) {}
  if (load(x, relaxed, device) == 0) { while (load(never, relaxed, device) == 0) {} }
}
)";
  EXPECT_EQ(check(text, Scheduler::Fair, "ptx").termination, Termination::DoesNotTerminate);
  EXPECT_EQ(check(text, Scheduler::Fair, "sc").termination, Termination::Terminates);
}

TEST_P(TerminationTest, ExpectationsAreJudged) {
  const std::string text =
      std::string(kConsumerBelow) + "expect ptx under fair : stuck\nexpect ptx under hsa : stuck\n";
  EXPECT_EQ(judge(check(text, Scheduler::Fair)).status, Status::Fail);
  EXPECT_EQ(judge(check(text, Scheduler::Hsa)).status, Status::Ok);
  EXPECT_EQ(judge(check(text, Scheduler::Obe)).status, Status::NothingExpected);
}

TEST(LockOfAWarp, TakesNoAxiomToEndUnderAFairScheduler) {
  // After a thread has taken the lock, it releases the lock, so the last value of the cell is 0.
  const std::string text =
      "CUDA lock\n{ global int mutex = 0, data = 0; }\n__global__ void k() {\n"
      "  while (atomicCAS(&mutex, 0, 1) != 0) { }\n  data = data + 1;\n  __threadfence();\n"
      "  atomicExch(&mutex, 0);\n}\nlaunch k<<<1, 32>>>();\n";
  const auto check = [](const std::string& litmus, double& clauses) {
    Checker checker;
    Context context;
    const auto verdict =
        check_termination(checker, test::program_of(litmus), test::shipped_model("ptx"), Scheduler::Fair, {}, context);
    EXPECT_TRUE(verdict.ok()) << render(verdict.errors());
    clauses = context.statistics.values["smt.clauses"];
    return verdict.ok() ? verdict.value().termination : Termination::Unknown;
  };
  double clauses = 0;
  EXPECT_EQ(check(text, clauses), Termination::Terminates);
  EXPECT_LT(clauses, 300000);  // an encoding with the axioms would have three million clauses
  std::string kept = text;
  const std::string release = "atomicExch(&mutex, 0)";
  kept.replace(kept.find(release), release.size(), "atomicExch(&mutex, 1)");
  EXPECT_EQ(check(kept, clauses), Termination::DoesNotTerminate);
}

INSTANTIATE_TEST_SUITE_P(Engines, TerminationTest, testing::Values(Engine::Smt, Engine::Explicit),
                         [](const auto& engine) { return std::string(to_string(engine.param)); });

}  // namespace
}  // namespace ambit::termination
