// Tests loops in which threads wait together (model/events/joint_waits.cpp), and the iterations that the graph omits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "model/verdict/verdict.h"
#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

using events::Possibility;

Verdict verdict_of(const std::string& text, Engine engine) {
  Checker checker;
  Context context;
  CheckOptions options;
  options.engine = engine;
  Result<Verdict> verdict = checker.check(test::program_of(text), test::shipped_model("ptx"), options, context);
  EXPECT_TRUE(verdict.ok()) << (verdict.ok() ? "" : render(verdict.errors()));
  return std::move(verdict).value();
}

/// Returns a program. Block 0 writes x and sets f, and the two threads of block 1 execute `body`.
std::string block_after_writer(const std::string& body, const std::string& condition) {
  return fmt::format(
      "CUDA joint\n{{ global int x = 0, f = 0; }}\n__global__ void k(int *out) {{\n  int t = threadIdx.x;\n"
      "  if (blockIdx.x == 0) {{\n    if (t == 0) {{ x = 1; __threadfence(); *(volatile int *)&f = 1; }}\n    return;\n"
      "  }}\n{}\n}}\nlaunch k<<<2, 2>>>(out[2]);\n{}\n",
      body, condition);
}

/// Returns a program with the two threads of one block.
std::string pair_of_threads(const std::string& body, const std::string& condition) {
  return fmt::format(
      "CUDA joint\n{{ global int x = 0; }}\n__global__ void k(int *out) {{\n  int t = threadIdx.x;\n{}\n}}\n"
      "launch k<<<1, 2>>>(out[2]);\n{}\n",
      body, condition);
}

class JointWaits : public testing::TestWithParam<Engine> {};

TEST_P(JointWaits, EndByTheValue) {
  const Verdict verdict =
      verdict_of(block_after_writer("  int s = 0;\n"
                                    "  while (!__syncthreads_or(s)) if (t == 0) s = *(volatile int *)&f;\n"
                                    "  __threadfence();\n  __syncthreads();\n  out[t] = x;",
                                    "forall (out[0] == 1 && out[1] == 1)"),
                 GetParam());
  EXPECT_EQ(verdict.frequency, Frequency::Always);
  EXPECT_EQ(verdict.race, Possibility::Impossible);
  EXPECT_FALSE(verdict.unknown);
}

TEST_P(JointWaits, MayTestAfterThePoll) {
  const Verdict verdict =
      verdict_of(block_after_writer("  int s = 0;\n"
                                    "  do if (t == 1) s = *(volatile int *)&f; while (__syncthreads_count(s) < 1);\n"
                                    "  __threadfence();\n  __syncthreads();\n  out[t] = x;",
                                    "forall (out[0] == 1 && out[1] == 1)"),
                 GetParam());
  EXPECT_EQ(verdict.frequency, Frequency::Always);
  EXPECT_EQ(verdict.race, Possibility::Impossible);
  EXPECT_FALSE(verdict.unknown);
}

// Only the polling iteration that succeeds reaches the barrier, so the threads do not wait together. Found by
// ambit_module_fuzz: Ambit took this for a joint wait, and did not finish the construction of the graph.
TEST_P(JointWaits, ABarrierThatAPollDoesNotReachIsNotJoint) {
  const Verdict verdict = verdict_of(
      "CUDA joint\n{ global int f = 0; }\nP0 @ block 0 { *(volatile int *)&f = 1; }\n"
      "P1 @ block 1 { int s = 0; while (s == 0) { s = *(volatile int *)&f; if (s == 1) __syncthreads(); } }\n"
      "forall (P1:s == 1)\n",
      GetParam());
  EXPECT_EQ(verdict.frequency, Frequency::Always);
  EXPECT_EQ(verdict.race, Possibility::Impossible);
  EXPECT_FALSE(verdict.unknown);
}

// Each iteration changes a value that a thread reads after the loop, so the graph must contain every iteration.
TEST_P(JointWaits, CountedIterationsStay) {
  const Verdict verdict =
      verdict_of(block_after_writer("  int s = 0;\n  int rounds = 0;\n"
                                    "  while (!__syncthreads_or(s)) {\n    ++rounds;\n"
                                    "    if (t == 0) s = *(volatile int *)&f;\n  }\n  out[t] = rounds;",
                                    "exists (out[0] == 2)"),
                 GetParam());
  EXPECT_EQ(verdict.answers.holds.possibility, Possibility::Possible);
  EXPECT_TRUE(verdict.unknown);
}

// The iterations have no effect in thread 0, but thread 1 counts them. So the graph must contain every iteration.
TEST_P(JointWaits, AnEffectOfOneThreadCounts) {
  const Verdict verdict = verdict_of(block_after_writer("  int s = 0;\n  while (!__syncthreads_or(s)) {\n"
                                                        "    if (t == 0) s = *(volatile int *)&f;\n"
                                                        "    else atomicAdd(&out[1], 1);\n  }",
                                                        "exists (out[1] == 2)"),
                                     GetParam());
  EXPECT_EQ(verdict.answers.holds.possibility, Possibility::Possible);
  EXPECT_TRUE(verdict.unknown);
}

TEST_P(JointWaits, PlainPollsRace) {
  const Verdict verdict =
      verdict_of(block_after_writer("  int s = 0;\n  while (!__syncthreads_or(s)) if (t == 0) s = f;", ""), GetParam());
  EXPECT_EQ(verdict.race, Possibility::Possible);
}

// Thread 1 has no loop. It meets thread 0 at two barriers. Because of thread 1's first vote, thread 0 repeats its loop
// once.
TEST_P(JointWaits, ThreadsOutsideTheLoopSendItBack) {
  const Verdict verdict =
      verdict_of(pair_of_threads("  if (t == 0) {\n    while (__syncthreads_or(*(volatile int *)&x)) {}\n"
                                 "  } else {\n    __syncthreads_or(1);\n    __syncthreads_or(0);\n  }\n"
                                 "  out[t] = 1;",
                                 "forall (out[0] == 1 && out[1] == 1)"),
                 GetParam());
  EXPECT_EQ(verdict.answers.any.possibility, Possibility::Possible);
  EXPECT_EQ(verdict.frequency, Frequency::Always);
}

INSTANTIATE_TEST_SUITE_P(Engines, JointWaits, testing::Values(Engine::Explicit, Engine::Smt),
                         [](const auto& info) { return info.param == Engine::Smt ? "smt" : "explicit"; });

}  // namespace
}  // namespace ambit::verdict
