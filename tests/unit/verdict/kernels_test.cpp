// Tests verdicts on kernels of realistic size.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "model/eval/evaluator.h"
#include "model/eval/sequential_run.h"
#include "model/verdict/races.h"
#include "model/verdict/verdict.h"
#include "tests/support/parsed.h"

namespace ambit::verdict {
namespace {

using events::Possibility;

struct CheckedKernel {
  Verdict verdict;
  double clauses = 0;
};

CheckedKernel check(const std::string& text, const std::string& model) {
  Checker checker;
  Context context;
  Result<Verdict> verdict = checker.check(test::program_of(text), test::shipped_model(model), {}, context);
  EXPECT_TRUE(verdict.ok());
  return {std::move(verdict).value(), context.statistics.values["smt.clauses"]};
}

/// Returns a kernel whose threads run `body`, in one block. The array `local` is 16 cells of shared memory.
std::string kernel(int threads, const std::string& body, const std::string& condition = "") {
  return fmt::format(
      "CUDA kernel\n{{ global int x = 0, y = 0; }}\n__global__ void k(const int *data, int *bins) {{\n"
      "  __shared__ int local[16];\n{}\n}}\nlaunch k<<<1, {}>>>(data[{}], bins[16]);\n{}\n",
      body, threads, threads, condition);
}

const std::string kHistogram =
    "  if (threadIdx.x < 16) local[threadIdx.x] = 0;\n  __syncthreads();\n"
    "  atomicAdd(&local[data[threadIdx.x] % 16], 1);\n  __syncthreads();\n"
    "  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);";

TEST(Kernels, SimpleAnswersAreNotEncoded) {
  for (const char* model : {"ptx", "cuda-cpp", "hrf-indirect"}) {
    const CheckedKernel histogram = check(kernel(64, kHistogram), model);
    EXPECT_EQ(histogram.verdict.race, Possibility::Impossible) << model;
    EXPECT_EQ(histogram.verdict.answers.any.possibility, Possibility::Possible) << model;
    EXPECT_EQ(histogram.verdict.engine, Engine::Smt) << model;
    EXPECT_EQ(histogram.clauses, 0) << model;
  }
}

TEST(Kernels, ARaceIsShownByTheFirstExecution) {
  std::string body = kHistogram;
  body.erase(body.rfind("  __syncthreads();\n"), std::string("  __syncthreads();\n").size());
  const CheckedKernel histogram = check(kernel(64, body), "ptx");
  EXPECT_EQ(histogram.verdict.race, Possibility::Possible);
  EXPECT_FALSE(histogram.verdict.unknown);
  EXPECT_EQ(race_locations(histogram.verdict), std::vector<std::string>{"b0:local[0]"});
}

TEST(Kernels, ACounterCountsFromAnyValueOfItsCell) {
  // In coherence order, the store precedes the updates, because a barrier is between the store and the updates.
  const std::string body =
      "  if (threadIdx.x == 0) x = 5;\n  __syncthreads();\n  atomicAdd(&x, 1);\n  __syncthreads();\n"
      "  if (threadIdx.x == 1) y = x;";
  for (const char* model : {"ptx", "cuda-cpp", "sc"}) {
    EXPECT_EQ(check(kernel(24, body, "exists (y == 29)"), model).verdict.frequency, Frequency::Always) << model;
    EXPECT_EQ(check(kernel(24, body, "exists (y == 24)"), model).verdict.frequency, Frequency::Never) << model;
  }
}

TEST(Kernels, TheCounterOfTwoBlocksCountsInAnyOrder) {
  const std::string text =
      "CUDA two-blocks\n{ global int y = 0; }\n__global__ void k(int *x) {\n  atomicAdd_block(&x[blockIdx.x], 1);\n"
      "  int r = atomicAdd(&y, 1);\n  if (blockIdx.x == 0 && threadIdx.x == 0) x[2] = r;\n}\n"
      "launch k<<<2, 12>>>(x[3]);\n";
  // The updates can have any order, but there are always 24 updates.
  EXPECT_EQ(check(text + "exists (y == 24)", "ptx").verdict.frequency, Frequency::Always);
  EXPECT_EQ(check(text + "exists (x[2] == 23)", "ptx").verdict.frequency, Frequency::Sometimes);
  EXPECT_EQ(check(text + "exists (x[2] == 24)", "ptx").verdict.frequency, Frequency::Never);
}

TEST(Kernels, AWalkThatLeavesTheCellOrdersItsUpdates) {
  // The fence orders the two updates of P0. The axiom `updates` does not contain this order. Each pair in the axiom
  // `walks` lacks it, too: the path from one update to the other passes through the fence.
  const auto program = test::program_of(
      "CUDA walk\n{ global int x = 0; }\n"
      "P0 @ block 0 { int r = atomicAdd(&x, 1); __threadfence(); int s = atomicAdd(&x, 1); }\n"
      "P1 @ block 1 { atomicAdd(&x, 1); }\nexists (P0:r == 1 && P0:s == 0)\n");
  const auto model = test::model_of(
      "\"walks\"\nempty rmw & (fr; co) as atomicity\nacyclic rf | co | fr | rmw as updates\n"
      "acyclic [R & A]; po; [F] | [F]; po; [W & A] | rf | co as walks\n");
  for (const Engine engine : {Engine::Smt, Engine::Explicit}) {
    Checker checker;
    Context context;
    CheckOptions options;
    options.engine = engine;
    const Result<Verdict> verdict = checker.check(program, model, options, context);
    ASSERT_TRUE(verdict.ok());
    EXPECT_EQ(verdict.value().frequency, Frequency::Never) << to_string(engine);
  }
}

TEST(Kernels, SequentialRunsAreExecutionsThatModelsAllow) {
  const auto program = test::program_of(kernel(8, kHistogram, "exists (bins[0] == 8)"));
  for (const char* model : {"ptx", "cuda-cpp", "hrf-indirect", "sc", "gwcp"}) {
    const auto rules = test::shipped_model(model);
    events::GraphOptions options;
    options.mappings = rules->mappings;
    const events::EventGraph graph = events::build(program, options).value();
    Context context;
    const events::Answers answers = eval::answers_of_sequential_runs(graph, *rules, {}, context);
    ASSERT_EQ(answers.holds.possibility, Possibility::Possible) << model;
    EXPECT_EQ(eval::find_flaw(graph, *rules, *answers.holds.witness), std::nullopt) << model;
    EXPECT_EQ(answers.fails.possibility, Possibility::Unknown) << model;
  }
}

TEST(Kernels, ARunThatNeedsAnotherOrderOfThreadsShowsNothing) {
  // Each thread waits for the other thread. So a schedule in which one thread runs after the other never ends.
  const auto program = test::program_of(
      "CUDA wait\n{ global int x = 0, y = 0; }\n"
      "P0 @ block 0 { store(x, 1, release, device); while (load(y, acquire, device) == 0) { } }\n"
      "P1 @ block 1 { while (load(x, acquire, device) == 0) { } store(y, 1, release, device); }\nexists (x == 1)\n");
  const auto rules = test::shipped_model("sc");
  const events::EventGraph graph = events::build(program, {}).value();
  Context context;
  EXPECT_EQ(eval::answers_of_sequential_runs(graph, *rules, {}, context).any.possibility, Possibility::Unknown);
}

}  // namespace
}  // namespace ambit::verdict
